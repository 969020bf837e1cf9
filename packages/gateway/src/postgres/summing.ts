/**
 * The function that enters exchanges in the daily sums, and its later versions. It keeps its name, because the functions
 * that call it do.
 */

/** A column of the daily sums that a later version has added: parts of the statements that write them. */
export interface FurtherSum {
  readonly column: string;
  readonly value: string;
  readonly update: string;
  /** Condition for exchanges that failed. */
  readonly failed: string;
}

export const NO_FURTHER_SUM: FurtherSum = { column: '', value: '', update: '', failed: "e.ended <> 'completed'" };

/** The part of the cost that no upstream reported. */
export const UNCONFIRMED: FurtherSum = {
  ...NO_FURTHER_SUM,
  column: ', unconfirmed_cost',
  value: "coalesce(sum((e.details ->> 'unconfirmed_cost')::bigint), 0)",
  update: ', unconfirmed_cost = u.unconfirmed_cost + excluded.unconfirmed_cost',
};

/** Failures are those that the list of requests has by this name. */
export const FAILED_OUTCOME: FurtherSum = {
  ...UNCONFIRMED,
  failed: "e.ended IN ('upstreamFailed', 'lost') OR e.ended = 'completed' AND e.status >= 400",
};

/**
 * Adds exchanges to their daily sums and to the spending of their accounts, or subtracts them.
 * @param unpriced condition for exchanges that used tokens of unknown price.
 * @param bounds further parameters, and `within`, a condition with them.
 */
const summing = (create: string, unpriced: string, bounds = '', within = '', more = NO_FURTHER_SUM) => `
  ${create}(ids text[], sign int${bounds}) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO usage_day AS u (day, key, team, client, model, upstream, exchanges, failed, unpriced, estimated,
        input_tokens, output_tokens, cost${more.column})
      SELECT e.day, coalesce(e.key, ''), coalesce(e.team, ''), coalesce(e.client, ''), coalesce(e.model, ''),
        coalesce(e.upstream, ''), sign * count(*), sign * count(*) FILTER (WHERE ${more.failed}),
        sign * count(*) FILTER (WHERE ${unpriced}),
        sign * count(*) FILTER (WHERE e.is_estimated), sign * coalesce(sum(e.input_tokens), 0),
        sign * coalesce(sum(e.output_tokens), 0), sign * coalesce(sum(e.cost), 0)${more.value && `, sign * ${more.value}`}
      FROM exchange e WHERE e.id = ANY (ids)${within} GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
      ON CONFLICT (day, key, team, client, model, upstream) DO UPDATE SET
        exchanges = u.exchanges + excluded.exchanges, failed = u.failed + excluded.failed,
        unpriced = u.unpriced + excluded.unpriced, estimated = u.estimated + excluded.estimated,
        input_tokens = u.input_tokens + excluded.input_tokens,
        output_tokens = u.output_tokens + excluded.output_tokens, cost = u.cost + excluded.cost${more.update};
    UPDATE account a SET spent = a.spent + sign * t.used FROM (
      SELECT o.scope, o.unit, o.period, o.start, sum(CASE o.unit
        WHEN 'usd' THEN coalesce(e.cost, 0)
        ELSE coalesce(e.input_tokens, 0) + coalesce(e.output_tokens, 0) END) AS used
      FROM exchange e JOIN account o ON o.scope IN (e.key, e.team) AND o.start = period_start_1(o.period, e.day)
      WHERE e.id = ANY (ids)${within} GROUP BY 1, 2, 3, 4
    ) t WHERE a.scope = t.scope AND a.unit = t.unit AND a.period = t.period AND a.start = t.start;
  END $$;
`;

export const SUMMING = summing('CREATE FUNCTION sum_up_1', 'e.cost IS NULL AND e.input_tokens IS NOT NULL');

/** The tokens of a row include those of its failed attempts, which are also in the details. */
const OWN_TOKENS = `coalesce(e.input_tokens + e.output_tokens, 0)
  - coalesce((e.details ->> 'attempts_input_tokens')::bigint + (e.details ->> 'attempts_output_tokens')::bigint, 0)`;

/** Condition for exchanges whose answer, or one of whose failed attempts, used tokens of unknown price. */
export const WITHOUT_PRICE = `(e.cost IS NULL AND e.input_tokens IS NOT NULL) OR (e.details ? 'attempts_cost' AND (
          (${OWN_TOKENS} > 0 AND NOT e.details ? 'input_price')
          OR EXISTS (
            SELECT FROM jsonb_array_elements((e.details ->> 'attempts')::jsonb) a WHERE a ? 'usage' AND NOT a ? 'cost'
          )))`;

/** Also counts an exchange if only its answer or one of its failed attempts has no known price. */
export const UNPRICED_ATTEMPTS = summing('CREATE OR REPLACE FUNCTION sum_up_1', WITHOUT_PRICE);

const TIMES = ', earliest timestamptz, latest timestamptz';
const WITHIN = ' AND e.at BETWEEN earliest AND latest';

/** Reads only the partitions of these times. Its callers never use earlier versions. */
export const SUMMING_WITHIN = summing('CREATE FUNCTION sum_up_6', WITHOUT_PRICE, TIMES, WITHIN);

const summingAgain = (more: FurtherSum) =>
  summing('CREATE OR REPLACE FUNCTION sum_up_6', WITHOUT_PRICE, TIMES, WITHIN, more);

export const SUMMING_UNCONFIRMED = summingAgain(UNCONFIRMED);

export const SUMMING_FAILED = summingAgain(FAILED_OUTCOME);
