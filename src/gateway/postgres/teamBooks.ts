import { Prices } from '../../service/modelPrices.ts';
