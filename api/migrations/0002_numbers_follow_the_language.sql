-- The language decides how numbers are written. Whoever never chose had the English way in both languages.
alter table users drop constraint users_number_form_check;
alter table users alter column number_form set default 'language';
alter table users add constraint users_number_form_check check (number_form in ('language', 'en-2', 'fr-0'));
update users set number_form = 'language' where number_form = 'en-2';
