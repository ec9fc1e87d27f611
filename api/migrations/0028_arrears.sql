-- What is owed: failed payments that are neither made again nor written off (Money 3.1). They are few among all payments.
create index transfer_payrolls_arrears on transfer_payrolls (master_list_id) where status = 'failed' and written_off_at is null;
