-- outside of a transaction
-- Whether a statement names a payment, which is looked up by the payment's reference (Money 8.4). Statements were only read line by line.
drop index concurrently if exists statement_lines_reference;
create index concurrently if not exists statement_lines_reference on statement_lines (reference) where reference is not null and problem is null;
