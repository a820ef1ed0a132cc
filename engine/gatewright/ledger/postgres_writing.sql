-- The second part of the schema: how rows and tickets are written.

-- The frontier of a Merkle tree (RFC 6962) with one more leaf.
CREATE OR REPLACE FUNCTION gatewright._grown(frontier bytea, size bigint, leaf bytea) RETURNS bytea LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    node bytea := leaf;
    kept integer := length(frontier);
    rest bigint := size;
BEGIN
    WHILE rest & 1 = 1 LOOP
        node := sha256('\x01'::bytea || substring(frontier FROM kept - 31 FOR 32) || node);
        kept := kept - 32;
        rest := rest >> 1;
    END LOOP;
    RETURN substring(frontier FROM 1 FOR kept) || node;
END
$$;

-- The account of a name, made where it is missing.
CREATE OR REPLACE FUNCTION gatewright._account(wanted bytea) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    found bigint;
BEGIN
    SELECT id INTO found FROM gatewright.accounts WHERE sha256(name) = sha256(wanted);
    IF found IS NULL THEN
        INSERT INTO gatewright.accounts (name) VALUES (wanted) ON CONFLICT DO NOTHING;
        SELECT id INTO STRICT found FROM gatewright.accounts WHERE sha256(name) = sha256(wanted);
    END IF;
    RETURN found;
END
$$;

-- Count an allowed check of a contract; how many there are by now.
CREATE OR REPLACE FUNCTION gatewright._counted(of_contract bytea) RETURNS bigint LANGUAGE sql AS $$
    INSERT INTO gatewright.contracts AS c VALUES (of_contract, 1)
    ON CONFLICT (sha256(contract)) DO UPDATE SET allowed = c.allowed + 1 RETURNING allowed
$$;

-- Add a row whose accounts are locked: count it and chain it.
CREATE OR REPLACE FUNCTION gatewright._append(new gatewright.rows) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    chain gatewright.accounts;
BEGIN
    SELECT * INTO STRICT chain FROM gatewright.accounts WHERE id = new.chain;
    new.leaf := sha256('\x00'::bytea || new.line);
    new.head := sha256('\x01'::bytea || chain.head || new.leaf || float8send(new.at)
                       || CASE WHEN new.taken_up THEN '\x01'::bytea ELSE '\x00'::bytea END);
    new.place := chain.size + 1;
    chain.frontier := gatewright._grown(chain.frontier, chain.size, new.leaf);
    IF new.account = new.chain THEN
        new.total := chain.total + new.agents;
    END IF;
    UPDATE gatewright.accounts SET size = new.place, head = new.head, frontier = chain.frontier,
        total = coalesce(new.total, total), newest = greatest(newest, new.at),
        muddled = CASE WHEN new.at < newest THEN newest ELSE muddled END
    WHERE id = new.chain;
    IF new.account <> new.chain THEN
        UPDATE gatewright.accounts SET total = total + new.agents,
            muddled = CASE WHEN new.at < newest THEN newest ELSE muddled END, newest = greatest(newest, new.at)
        WHERE id = new.account RETURNING total INTO STRICT new.total;
    END IF;
    new.id := nextval('gatewright.rows_id_seq');
    INSERT INTO gatewright.rows SELECT new.*;
    RETURN new.id;
END
$$;

-- Add a row within a step that was entered. Its account and chain are made where they are missing.
CREATE OR REPLACE FUNCTION gatewright.append(
    ts double precision, kind text, decision bytea, reason bytea, agents bigint, account bytea, chain bytea,
    contract bytea, runtime bytea, allowed_check boolean, request_id bytea, job_id bytea, taken_up boolean, line bytea
) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    new gatewright.rows;
    now double precision;
BEGIN
    PERFORM gatewright._begin((SELECT version FROM gatewright.ledger), true);
    now := gatewright._time(gatewright._wall());
    new.at := CASE WHEN taken_up THEN least(ts, now) ELSE now END;
    new.ts := ts;
    new.kind := kind;
    new.decision := decision;
    new.reason := reason;
    new.agents := agents;
    new.account := CASE WHEN account IS NOT NULL THEN gatewright._account(account) END;
    new.chain := gatewright._account(chain);
    new.contract := contract;
    new.runtime := runtime;
    new.nth := CASE WHEN allowed_check AND contract IS NOT NULL THEN gatewright._counted(contract) END;
    -- Of two lines with one request id that are taken up, the first is what the id leads to.
    new.request_id := CASE WHEN gatewright.of_request(request_id) IS NULL THEN request_id END;
    new.job_id := job_id;
    new.taken_up := taken_up;
    new.line := line;
    new.id := gatewright._append(new);
    IF (new.kind = 'registration' AND new.decision = 'ALLOW'::bytea) OR new.kind = 'closing' THEN
        PERFORM gatewright._settle(new.id, new.contract, new.runtime);
    END IF;
    RETURN new.id;
END
$$;

-- Match a registration with the newest allowed check of its contract, of its runtime if there is one.
CREATE OR REPLACE FUNCTION gatewright._settle(registration bigint, of_contract bytea, of_runtime bytea) RETURNS void
LANGUAGE sql AS $$
    UPDATE gatewright.rows SET settled_by = registration WHERE id = (
        SELECT id FROM gatewright.rows
        WHERE nth IS NOT NULL AND settled_by IS NULL
            AND substring(contract FROM 1 FOR 64) = substring(of_contract FROM 1 FOR 64) AND contract = of_contract
        ORDER BY (runtime = of_runtime) DESC, id DESC LIMIT 1
    )
$$;

CREATE OR REPLACE FUNCTION gatewright.issue(of_runtime bytea, of_contract bytea, since double precision, agents bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    INSERT INTO gatewright.tickets VALUES (of_runtime, of_contract, since, agents)
    ON CONFLICT (sha256(runtime), sha256(contract)) DO UPDATE SET issued = excluded.issued, count = excluded.count
$$;

-- Take a ticket away; whether it was there, which is so for one taker only.
CREATE OR REPLACE FUNCTION gatewright.consume(of_runtime bytea, of_contract bytea, since double precision) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    DELETE FROM gatewright.tickets
    WHERE sha256(runtime) = sha256(of_runtime) AND sha256(contract) = sha256(of_contract) AND issued = since;
    RETURN FOUND;
END
$$;

-- Deciding in one call ------------------------------------------------------------------------------------------------

-- A line from its parts and what stands between them.
CREATE OR REPLACE FUNCTION gatewright._line(parts bytea[], nth bigint, wall double precision) RETURNS bytea LANGUAGE sql IMMUTABLE
SET extra_float_digits = 1 AS $$
    SELECT CASE WHEN cardinality(parts) = 3
        THEN parts[1] || convert_to(nth::text, 'UTF8') || parts[2] || seconds || parts[3]
        ELSE parts[1] || seconds || parts[2] END
    FROM (SELECT convert_to(wall::text || CASE WHEN wall = trunc(wall) THEN '.0' ELSE '' END, 'UTF8')) AS said (seconds)
$$;

-- Count a tier, and record the check that fits: the one for which there is room, or the one for which there is none.
-- Nothing is done, and `answer` says why, where that takes more than one look: `sort` when there are accounts of models
-- that the caller has not sorted yet, `steps` when the step has to be taken statement by statement.
CREATE OR REPLACE FUNCTION gatewright.check_at_once(
    known integer, tier bytea, members bytea[], others bytea[], seconds double precision, cap bigint, asked bigint,
    request bytea, of_contract bytea, of_runtime bytea,
    room_allows boolean, room_reason bytea, room_parts bytea[],
    full_allows boolean, full_reason bytea, full_parts bytea[],
    forgotten double precision,
    OUT answer text, OUT wall double precision, OUT used bigint, OUT is_full boolean, OUT frees_at double precision,
    OUT unsorted bytea[]
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    new gatewright.rows;
    ids bigint[];
    since double precision;
    allows boolean;
BEGIN
    PERFORM gatewright._begin(known, false);
    IF request IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(hashtextextended(encode(sha256(request), 'hex'), 1735879783));
        IF gatewright.of_request(request) IS NOT NULL THEN
            answer := 'steps';
            RETURN;
        END IF;
    END IF;
    SELECT array_agg(name) INTO unsorted FROM gatewright.accounts
    WHERE substring(name FROM 1 FOR 6) = 'model:'::bytea AND name <> ALL (members || others);
    IF unsorted IS NOT NULL THEN
        answer := 'sort';
        RETURN;
    END IF;
    new.chain := gatewright._account(tier);  -- made before any is locked, and locked in the order of names: no deadlock
    SELECT array_agg(id) INTO ids FROM (
        SELECT id FROM gatewright.accounts
        WHERE sha256(name) IN (SELECT sha256(each) FROM unnest(members || tier) AS each) ORDER BY name FOR UPDATE
    ) AS locked;
    wall := gatewright._wall();
    new.at := gatewright._time(wall);
    since := new.at - seconds;
    IF gatewright._odd(ids, since, wall) > 0 THEN
        answer := 'steps';
        RETURN;
    END IF;
    used := gatewright._used(ids, since);
    is_full := cap IS NOT NULL AND used + asked > cap;
    IF is_full AND asked <= cap THEN
        frees_at := gatewright._freed(ids, since, used + asked - cap) + seconds - new.at + wall;
    END IF;
    allows := CASE WHEN is_full THEN full_allows ELSE room_allows END;
    new.ts := wall;
    new.kind := 'check';
    new.decision := CASE WHEN allows THEN 'ALLOW' ELSE 'DENY' END;
    new.reason := CASE WHEN is_full THEN full_reason ELSE room_reason END;
    new.agents := asked;
    new.account := CASE WHEN allows THEN new.chain END;
    new.contract := of_contract;
    new.runtime := of_runtime;
    new.request_id := request;
    new.taken_up := false;
    IF allows THEN
        new.nth := gatewright._counted(of_contract);
        PERFORM gatewright.issue(of_runtime, of_contract, new.at, asked);
    END IF;
    new.line := gatewright._line(CASE WHEN is_full THEN full_parts ELSE room_parts END, new.nth, wall);
    PERFORM gatewright._append(new);
    -- What another step has in hand is left to it, so that no two steps wait for each other.
    DELETE FROM gatewright.tickets WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM gatewright.tickets WHERE issued < new.at - forgotten FOR UPDATE SKIP LOCKED));
    answer := 'done';
END
$$;
