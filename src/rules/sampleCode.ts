/** `src/quote.ts` of the sample folder. The sandbox has prepared answers about it, and the chat offers them. */
export const SAMPLE_CODE = `import { chargeableWeight, type Parcel } from './parcel.ts';

export type Zone = 'local' | 'national' | 'abroad';

const PRICE_PER_KILOGRAM: Record<Zone, number> = { local: 1.2, national: 2.4, abroad: 6.8 };
const MIN_PRICE: Record<Zone, number> = { local: 3.5, national: 5.9, abroad: 14.9 };
const FRAGILE_SURCHARGE = 2.5;

/** What a parcel costs in euros. */
export function quote(parcel: Parcel, zone: Zone): number {
  const byWeight = chargeableWeight(parcel) * PRICE_PER_KILOGRAM[zone];
  const price = Math.max(byWeight, MIN_PRICE[zone]) + (parcel.fragile ? FRAGILE_SURCHARGE : 0);
  return Math.round(price * 100) / 100;
}

/** What a basket of parcels costs; from five parcels on, a tenth less. */
export function quoteAll(parcels: readonly Parcel[], zone: Zone): number {
  const sum = parcels.reduce((total, parcel) => total + quote(parcel, zone), 0);
  return parcels.length >= 5 ? Math.round(sum * 90) / 100 : sum;
}
`;

/** What the prepared answers depend on. The rest of the file may have been edited. */
const MARKS = SAMPLE_CODE.split('\n').filter((line) => /^(?:const|export function) /.test(line));

export function isSampleCode(text: string): boolean {
  return MARKS.every((mark) => text.includes(mark));
}
