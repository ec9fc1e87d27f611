-- The trace (W3C `traceparent`) of the call that asked for a round last, so that the calls of the agency are shown with it (decision 157).
alter table transfer_payroll_groups add column trace text;
