-- The isolated module that called for the person, with its build (Access 6.1). It is part of the row's seal.
alter table audits add column module text
  constraint audits_module_check check (module ~ '^mfe-[a-z][a-z0-9-]{0,60}/[a-f0-9]{12}$');
