-- The language decides how numbers are written, so nothing reads a person's own choice any more. Code of the release
-- before still selects the column while a release is rolled out: the next release drops it.
comment on column users.number_form is 'No longer read; dropped by the next release.';
