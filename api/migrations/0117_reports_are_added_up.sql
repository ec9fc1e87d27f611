-- outside of a transaction
-- Adds up all reports for the sums of migration 0116. Reports that arrive meanwhile are stored at once, and processed some seconds later.
select recount_reports();
