/**
 * What the upstreams refuse, as replicas have learned it, with a digest of what was learned as ID. A change is announced
 * on the channel `model_access_refusals`.
 */
export const REFUSALS = `
  CREATE TABLE refusal (
    id text PRIMARY KEY,
    upstream text NOT NULL,
    settings text NOT NULL,
    model text NOT NULL,
    changes jsonb NOT NULL,
    shape text,
    until timestamptz NOT NULL
  );

  CREATE FUNCTION add_refusals_9(given jsonb) RETURNS void LANGUAGE sql AS $$
    DELETE FROM refusal WHERE until < now();
    INSERT INTO refusal (id, upstream, settings, model, changes, shape, until)
      SELECT g.id, g.upstream, g.settings, g.model, g.changes, g.shape, g.until
      FROM jsonb_to_recordset(given)
        g(id text, upstream text, settings text, model text, changes jsonb, shape text, until timestamptz)
      ORDER BY 1
      ON CONFLICT (id) DO UPDATE SET until = excluded.until;
    SELECT pg_notify('model_access_refusals', '');
  $$;

  CREATE FUNCTION remove_refusals_9(ids text[]) RETURNS bigint LANGUAGE sql AS $$
    SELECT pg_notify('model_access_refusals', '');
    WITH removed AS (DELETE FROM refusal WHERE id = ANY (ids) RETURNING 1) SELECT count(*) FROM removed;
  $$;
`;
