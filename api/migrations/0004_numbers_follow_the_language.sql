-- The language decides how numbers are written. No release has read a person's own choice yet, so the column goes at once.
alter table users drop column number_form;
