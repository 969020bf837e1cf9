import { entering, PLANNED_ONCE } from './batches.ts';
import { settlingLost } from './entering.ts';
import { SUMMING_UNCONFIRMED, UNCONFIRMED } from './summing.ts';

/**
 * What replicas share about usage that no upstream reported. The daily sums have the part of their cost that is an upper
 * bound, and `output_speed` how fast models wrote their latest answers. Functions that replicas of earlier releases call
 * keep their names.
 */
const SUMS = `
  ALTER TABLE usage_day ADD COLUMN unconfirmed_cost bigint NOT NULL DEFAULT 0;
  ${SUMMING_UNCONFIRMED}
  ${entering('CREATE OR REPLACE FUNCTION', UNCONFIRMED)}
  ${settlingLost(true, "jsonb_strip_nulls(jsonb_build_object('usage_bound', 'reservation', 'unconfirmed_cost', v.cost))")}
  ALTER FUNCTION settle_lost_1 ${PLANNED_ONCE};
`;

/** How many of the latest answers of a model are kept. A released migration has this figure. */
const KEPT = 50;

/** Adds the speeds of answers, in tokens per second, oldest first. Locks rows in the order of their key. */
const SPEEDS = `
  CREATE TABLE output_speed (
    upstream text NOT NULL,
    model text NOT NULL,
    answers real[] NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (upstream, model)
  ) WITH (fillfactor = 70);

  CREATE FUNCTION add_speeds_8(given jsonb) RETURNS void LANGUAGE sql AS $$
    INSERT INTO output_speed AS o (upstream, model, answers)
      SELECT g.upstream, g.model, g.answers
      FROM jsonb_to_recordset(given) g(upstream text, model text, answers real[]) ORDER BY 1, 2
      ON CONFLICT (upstream, model) DO UPDATE SET at = now(), answers = (o.answers || excluded.answers)
        [greatest(1, cardinality(o.answers) + cardinality(excluded.answers) - ${KEPT - 1}):]
  $$;
`;

export const UPPER_BOUNDS = SUMS + SPEEDS;
