-- Payments by month are read from `payment_totals` (decision 120). The table stays for workers of the release before, which still add
-- up its rows; a later migration drops it (decision 128).
drop trigger attempts_by_month_in on payment_attempts;
drop trigger attempts_by_month on payment_attempts;
drop trigger attempts_by_month_none on payment_attempts;
drop function count_paid();

-- A few rows that are updated again and again, in columns without an index: with room in the page, an update needs no new entry in an index.
alter table sessions set (fillfactor = 70);
alter table agency_leases set (fillfactor = 50);
alter table sending_marks set (fillfactor = 50);
alter table audit_head set (fillfactor = 50);
-- Their columns have indexes, so updates add to those all the same. They are few rows, and are cleaned early instead.
alter table transfer_payroll_groups set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- A fifth of 18 million rows would have to change before anybody cleaned or counted them anew.
alter table transfer_payrolls set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.01);
alter table payment_attempts set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.01);
-- Rows are only added. Cleaning marks their pages as visible to all, so that an index alone answers, and freezes them in parts.
alter table audits set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table audit_values set (autovacuum_vacuum_insert_scale_factor = 0.02);
alter table audit_links set (autovacuum_vacuum_insert_scale_factor = 0.02);
alter table money_events set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- Sums of differences, added up every minute: many dead rows in a small table.
alter table list_totals set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
alter table payment_totals set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
