/** The trigger of the table audit. */
export const refuseChangeOfAudit = `
  CREATE FUNCTION refuse_change_of_audit() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'The audit only grows: its entries cannot be changed or deleted';
  END $$
`;
