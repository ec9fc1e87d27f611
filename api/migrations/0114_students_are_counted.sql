-- outside of a transaction
-- Counts all students for the counts of a target list (decision 225): 20 s for 1.5 million. Whoever changes a register meanwhile does not wait, and
-- is counted by what migration 0111 wrote down.
select recount_students();
