/** What operators have changed, and why. The audit only grows: a trigger refuses every other change. */
export const audit = `
  CREATE TABLE audit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL,
    operator text NOT NULL CHECK (char_length(operator) BETWEEN 1 AND 100),
    action text NOT NULL CHECK (char_length(action) BETWEEN 1 AND 50),
    -- Null where the change is not about one player. No foreign key: the entry outlives the player.
    player_id uuid,
    target text CHECK (char_length(target) <= 255),
    reason text NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 1000),
    before jsonb,
    after jsonb
  );
  CREATE INDEX audit_player_id ON audit (player_id, id);
  CREATE FUNCTION refuse_change_of_audit() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'The audit only grows: its entries cannot be changed or deleted';
  END $$;
  CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON audit
    FOR EACH ROW EXECUTE FUNCTION refuse_change_of_audit();
`;
