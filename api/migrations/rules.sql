-- The audit log is only ever added to (Access 6.2). The application's role has no right to more; this holds besides,
-- for the owner too, unless a maintenance of its own says so (the tests' clean-up).
create function refuse_change() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('portal.maintenance', true), '') = 'on' then
    return case tg_op when 'DELETE' then old when 'UPDATE' then new end;
  end if;
  raise exception '% of % is not possible: it is only ever added to', tg_op, tg_table_name using errcode = 'insufficient_privilege';
end $$;

create trigger audits_keep before update or delete on audits for each row execute function refuse_change();
create trigger audits_keep_all before truncate on audits for each statement execute function refuse_change();
create trigger audit_links_keep before update or delete on audit_links for each row execute function refuse_change();
create trigger audit_links_keep_all before truncate on audit_links for each statement execute function refuse_change();
create trigger audit_values_keep_all before truncate on audit_values for each statement execute function refuse_change();

-- Values may be emptied once, never rewritten; by whom is told by the audit row of the erasure.
create function keep_audit_values() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('portal.maintenance', true), '') = 'on' then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  if tg_op = 'UPDATE' and old.erased_at is null and new.erased_at is not null and new.old_values is null
     and new.new_values is null and new.audit_id = old.audit_id and new.salt = old.salt then
    return new;
  end if;
  raise exception '% of audit_values is not possible: values are emptied, nothing else', tg_op using errcode = 'insufficient_privilege';
end $$;
create trigger audit_values_keep before update or delete on audit_values for each row execute function keep_audit_values();

create function erase_audit_values(erased bigint) returns void language sql security definer set search_path = public as $$
  update audit_values set old_values = null, new_values = null, erased_at = now() where audit_id = erased and erased_at is null
$$;
revoke all on function erase_audit_values(bigint) from public;

-- Cached totals: one difference per statement, whatever its number of rows; no writer waits for another.
create function count_inserted() returns trigger language plpgsql as $$
declare n bigint;
begin
  select count(*) into n from changed;
  if n > 0 then insert into list_totals (name, rows) values (tg_table_name, n); end if;
  return null;
end $$;
create function count_deleted() returns trigger language plpgsql as $$
declare n bigint;
begin
  select count(*) into n from changed;
  if n > 0 then insert into list_totals (name, rows) values (tg_table_name, -n); end if;
  return null;
end $$;
create function count_truncated() returns trigger language plpgsql as $$
begin
  delete from list_totals where name = tg_table_name;
  return null;
end $$;

do $$
declare counted text;
begin
  foreach counted in array array['schools', 'students', 'parents', 'teachers', 'partners', 'arrondissements', 'caps', 'cases', 'audits', 'roles'] loop
    execute format('create trigger %I after insert on %I referencing new table as changed for each statement execute function count_inserted()', counted || '_count_in', counted);
    execute format('create trigger %I after delete on %I referencing old table as changed for each statement execute function count_deleted()', counted || '_count_out', counted);
    execute format('create trigger %I after truncate on %I for each statement execute function count_truncated()', counted || '_count_none', counted);
  end loop;
end $$;
