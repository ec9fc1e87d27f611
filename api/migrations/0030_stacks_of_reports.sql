-- Where in the module's code a page stopped, for its team (Modules 3.1).
alter table module_reports add column stack text not null default '';
