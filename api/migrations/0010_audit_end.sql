-- The end of the chain only moves forward. The application's role may not delete it, and this trigger also stops the owner,
-- as for the log itself.
create function keep_audit_head() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('portal.maintenance', true), '') = 'on' then
    return case tg_op when 'DELETE' then old when 'UPDATE' then new end;
  end if;
  if tg_op = 'UPDATE' and new.id = old.id and new.position > old.position then
    return new;
  end if;
  raise exception '% of audit_head is not possible: the end of the chain only moves forward', tg_op using errcode = 'insufficient_privilege';
end $$;
create trigger audit_head_keep before update or delete on audit_head for each row execute function keep_audit_head();
create trigger audit_head_keep_all before truncate on audit_head for each statement execute function refuse_change();
