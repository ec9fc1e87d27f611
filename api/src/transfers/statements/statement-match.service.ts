import { sql } from 'kysely'
import type { Tx } from '../../kit/database/db.ts'

/**
 * Compares the lines of a statement with the payments that the portal made through the agency, in a few statements whatever
 * its size (Money 9.3). The lock of the agency's row orders the comparisons of two statements.
 */
export async function matchLines(tx: Tx, id: number): Promise<{ repeated: number; open: number }> {
  await sql`
    select from transfer_agencies where id = (select agency_id from agency_statements where id = ${id}) for no key update
  `.execute(tx)
  await markRepeated(tx, id)
  await addFindings(tx, id)
  const { rows } = await sql<{ repeated: number; open: number }>`
    select (select count(*) from statement_lines l where l.statement_id = ${id} and l.repeats_id is not null
        and not exists (select from statement_findings f where f.line_id = l.id)) as repeated,
      (select coalesce(sum(t.count - t.resolved), 0)::bigint from statement_totals t
        where t.statement_id = ${id} and t.category <> 'matched') as open`.execute(tx)
  return rows[0] ?? { repeated: 0, open: 0 }
}

/**
 * Notes of each line whether an earlier statement of the agency has it. Equal lines of one file differ by their place among
 * each other, because an agency may pay the same amount to the same number twice.
 */
async function markRepeated(tx: Tx, id: number) {
  await sql`
    with content as (
      select l.id, l.agency_id, sha256(convert_to(jsonb_build_array(l.reference, l.transaction_id, l.number, l.amount, l.fee, l.day,
        l.problem, row_number() over (
          partition by l.reference, l.transaction_id, l.number, l.amount, l.fee, l.day, l.problem order by l."row"))::text, 'UTF8')) as hash
      from statement_lines l where l.statement_id = ${id}
    )
    update statement_lines l set hash = c.hash, repeats_id = earlier.id
    from content c left join statement_lines earlier
      on earlier.agency_id = c.agency_id and earlier.hash = c.hash and earlier.repeats_id is null and earlier.statement_id <> ${id}
    where l.id = c.id`.execute(tx)
}

/**
 * A line finds its payment by our reference, by the key of an attempt or by the agency's transaction id, else by number,
 * amount and day. Of several lines of one payment the first with its amount is its line, or else the first. A line of an earlier statement that counts is
 * compared again only if it had no payment there, and is no difference a second time. It stays one statement, because a test
 * checks complete statements against the database.
 */
async function addFindings(tx: Tx, id: number) {
  // The lines were written a moment ago, so the planner has no figures of them and takes them for a few. Nested loops
  // over what it takes for a few lines take minutes.
  await sql`set local enable_nestloop = off`.execute(tx)
  await sql`
    with own as materialized (
      -- The statement, with what its agency charges.
      select s.id, s.agency_id, a.type, s."from", s."to", round(a.fees * 100)::bigint as tariff
      from agency_statements s join transfer_agencies a on a.id = s.agency_id where s.id = ${id}
    ),
    -- Lines whose content an earlier statement that counts has: the first one of it, or others that repeat that one.
    earlier as materialized (
      select r.id, bool_or(f.category <> 'theirs') as taken
      from (
        select l.id, l.repeats_id as same_id from statement_lines l where l.statement_id = ${id} and l.repeats_id is not null
        union all
        select l.id, k.id from statement_lines l join statement_lines k on k.repeats_id = l.repeats_id and k.statement_id <> l.statement_id
        where l.statement_id = ${id}
      ) r join statement_lines s on s.id = r.same_id left join statement_findings f on f.line_id = s.id
      where statement_counts(s.statement_id, ${id}) group by r.id
    ),
    -- The lines to compare.
    lines as materialized (
      select l.*, e.id is not null as again from statement_lines l left join earlier e on e.id = l.id
      where l.statement_id = ${id} and e.taken is not true
    ),
    -- The payment that a line names. The lowest rank is the surest name.
    named as materialized (
      select distinct on (line_id) line_id, payroll_id from (
        select l.id as line_id, p.id as payroll_id, 1 as rank
        from lines l join transfer_payrolls p on p.reference = l.reference
        union all
        select l.id, a.payroll_id, 1 from lines l join bank_file_payments b on b.end_to_end_id = l.reference
          join payment_attempts a on a.id = b.attempt_id
        union all
        select l.id, a.payroll_id, 2 from lines l join payment_attempts a on a.idempotency_key =
          case when l.reference ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then l.reference::uuid end
        union all
        select l.id, a.payroll_id, 3 from lines l join own o on true
          join payment_attempts a on a.agency_id = o.agency_id and a.external_trx_id = l.transaction_id
      ) found
      where exists (select from payment_attempts a join own o on o.agency_id = a.agency_id where a.payroll_id = found.payroll_id)
      order by line_id, rank, payroll_id
    ),
    -- The payments that people settled as paid by a line of another statement, which is their line (Money 4.18).
    evident as materialized (
      select t.payroll_id from payment_settlements n join payment_attempts t on t.id = n.attempt_id
        join statement_lines l on l.id = n.line_id and l.statement_id <> ${id}
      where n.state = 'approved' and n.outcome = 'paid' and statement_counts(l.statement_id, ${id})
    ),
    -- The payments that the portal counts as paid, in the days of the statement or named by a line.
    paid as materialized (
      select a.payroll_id, (a.settled_at at time zone 'utc')::date as day,
        a.payroll_id in (select e.payroll_id from evident e) or exists (
          select from statement_findings f where f.payroll_id = a.payroll_id and f.category in ('matched', 'amount', 'fee')
            and statement_counts(f.statement_id, ${id})) as taken
      from (
        select a.payroll_id, a.settled_at from payment_attempts a join own o on o.agency_id = a.agency_id
        where a.state = 'success'
          and a.settled_at >= least(o."from", (select min(day) from lines))::timestamp at time zone 'utc'
          and a.settled_at < (greatest(o."to", (select max(day) from lines)) + 1)::timestamp at time zone 'utc'
        union
        select a.payroll_id, a.settled_at from named n join payment_attempts a on a.payroll_id = n.payroll_id
          join own o on o.agency_id = a.agency_id
        where a.state = 'success'
      ) a
    ),
    -- One line for each payment that is named.
    by_reference as materialized (
      select distinct on (n.payroll_id) n.line_id, n.payroll_id
      from named n join lines l on l.id = n.line_id join paid p on p.payroll_id = n.payroll_id and not p.taken
        join transfer_payrolls e on e.id = n.payroll_id
      where l.problem is null order by n.payroll_id, l.amount <> e.amount, l."row"
    ),
    -- The nth line of a number, amount and day belongs to the nth payment of these.
    by_number as materialized (
      select t.line_id, u.payroll_id from (
        select l.id as line_id, account_form(l.number) as number, l.amount, l.day,
          row_number() over (partition by account_form(l.number), l.amount, l.day order by l."row") as nth
        from lines l left join named n on n.line_id = l.id
        where n.line_id is null and l.number is not null and l.problem is null
      ) t join (
        select x.*, row_number() over (partition by x.number, x.amount, x.day order by x.payroll_id) as nth from (
          select p.payroll_id, account_form(number_at(o.type, e.receiver_phone_number, e.receiver_account)) as number, e.amount, p.day
          from paid p join own o on true join transfer_payrolls e on e.id = p.payroll_id
          where not p.taken and not exists (select from by_reference r where r.payroll_id = p.payroll_id)
        ) x
      ) u using (number, amount, day, nth)
    ),
    pairs as materialized (
      select * from by_reference union all select * from by_number
    ),
    compared as (
      select l.id as line_id, e.id as payroll_id, l.problem, l.amount as their_amount, l.fee as their_fee, n.payroll_id as hint,
        l.again, l."row", e.amount as our_amount, (e.amount * o.tariff + 5000) / 10000 as expected_fee,
        exists (select from paid p where p.payroll_id = n.payroll_id) as hint_paid
      from lines l join own o on true left join pairs on pairs.line_id = l.id left join transfer_payrolls e on e.id = pairs.payroll_id
        left join named n on n.line_id = l.id
    )
    insert into statement_findings (statement_id, category, line_id, payroll_id, cause, their_amount, our_amount, their_fee, expected_fee)
    select statement_id, category, line_id, payroll_id, cause, their_amount, our_amount, their_fee, expected_fee from (
    -- What the agency says, line by line.
    select ${id}::bigint as statement_id, case when payroll_id is null then 'theirs' when their_amount <> our_amount then 'amount'
        when their_fee <> expected_fee then 'fee' else 'matched' end as category,
      line_id, coalesce(payroll_id, hint) as payroll_id,
      case when payroll_id is not null then null when problem is not null then 'unreadable' when hint is null then 'unknown'
        when hint_paid then 'already' else 'not_paid' end as cause,
      their_amount, our_amount, their_fee, expected_fee, "row"
    from compared where payroll_id is not null or not again
    union all
    -- What the portal counts as paid and no line has.
    select ${id}::bigint, 'ours', null::bigint, p.payroll_id, null, null, e.amount, null, (e.amount * o.tariff + 5000) / 10000, null
    from paid p join own o on true join transfer_payrolls e on e.id = p.payroll_id
    where p.day between o."from" and o."to" and not p.taken
      and not exists (select from pairs where pairs.payroll_id = p.payroll_id)
    ) found order by "row", payroll_id`.execute(tx)
}
