-- Up to which id all audits are linked, as the worker found when it linked the last one. A worker that starts begins there
-- instead of reading the whole log. Nothing rests on it but speed: rows that are not linked are found by `audit:verify`.
alter table audit_head add column linked_up_to bigint not null default 0;
