-- The third part of the schema, since version 2: rows to look at.

CREATE TYPE gatewright.seen AS (
    id bigint, at double precision, kind text, taken_up boolean, line bytea, settled_by bigint
);

-- The last rows, newest first.
CREATE FUNCTION gatewright.newest_rows(most integer) RETURNS SETOF gatewright.seen
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT id, at, kind, taken_up, line, settled_by FROM gatewright.rows ORDER BY id DESC LIMIT most
$$;

CREATE FUNCTION gatewright.numbered_row(wanted bigint) RETURNS SETOF gatewright.seen
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT id, at, kind, taken_up, line, settled_by FROM gatewright.rows WHERE id = wanted
$$;

-- Rows of contracts from one hash up to before another, oldest first.
CREATE FUNCTION gatewright.rows_of_contracts(low bytea, high bytea, most integer) RETURNS SETOF gatewright.seen
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT id, at, kind, taken_up, line, settled_by FROM gatewright.rows
    WHERE contract >= low AND contract < high ORDER BY id LIMIT most
$$;
