import { sql } from 'kysely'
import { classKeys } from '../sync/class-keys.service.ts'
import { inOrder, rowsOf, type Trace, what } from './trace.ts'

/** The registers. Whoever stands on no target list is deleted; of the others a row without a name stays. */
export const registerTraces: Trace[] = [
  {
    table: 'parent_students',
    what: what.registers,
    read: rowsOf(
      (p) => sql`parent_students t join students s on s.id = t.student_id join parents g on g.id = t.parent_id
        where t.student_id = any(${p.student_ids}::bigint[]) or t.parent_id = any(${p.parent_ids}::bigint[])`,
      sql`jsonb_build_object('student_code', s.student_code, 'student', s.person, 'guardian', g.person)`,
    ),
    erase: inOrder(
      (p) => sql`delete from parent_students
        where student_id = any(${p.student_ids}::bigint[]) or parent_id = any(${p.parent_ids}::bigint[])`,
    ),
  },
  {
    table: 'students',
    what: what.registers,
    read: rowsOf(
      (p) => sql`students t join schools h on h.id = t.school_id left join classes k on k.id = t.class_id
        where t.id = any(${p.student_ids}::bigint[])`,
      sql`jsonb_build_object('school', h.name, 'class', k.name)`,
    ),
    erase: inOrder(
      (p) => sql`delete from students s where s.id = any(${p.student_ids}::bigint[])
        and not exists (select from transfer_master_list m where m.student_id = s.id)`,
      (
        p,
      ) => sql`update students set student_code = 'erased-' || id, class_id = null, student_assigned_id = null,
          current_class_level = null, admission_number = null, academic_year = null, start_date = null, language_spoken = null,
          maternal_status = null, disability_vision = null, disability_hearing = null, disability_mobility = null,
          disability_cognition = null, disability_selfcare = null, disability_communication = null, disability_other = null
        where id = any(${p.student_ids}::bigint[])`,
    ),
    stays: {
      en: 'the number of the row and the school, where payments were made: they belong to a row of a list',
      fr: 'le numéro de la ligne et l’établissement, si des paiements ont eu lieu : ils appartiennent à une ligne d’une liste',
    },
  },
  {
    table: 'parents',
    what: what.registers,
    read: rowsOf((p) => sql`parents t where t.id = any(${p.parent_ids}::bigint[])`),
    erase: inOrder((p) => sql`delete from parents where id = any(${p.parent_ids}::bigint[])`),
  },
  {
    table: 'teachers',
    what: what.registers,
    read: rowsOf(
      (p) =>
        sql`teachers t join schools h on h.id = t.school_id where t.id = any(${p.teacher_ids}::bigint[])`,
      sql`jsonb_build_object('school', h.name)`,
    ),
    erase: inOrder((p) => sql`delete from teachers where id = any(${p.teacher_ids}::bigint[])`),
  },
  {
    table: 'partners',
    what: what.registers,
    read: rowsOf((p) => sql`partners t where t.user_id = ${p.user_id}`),
    stays: {
      en: 'the partner: an organisation; the account of its person has no name any more',
      fr: 'le partenaire : une organisation ; le compte de sa personne n’a plus de nom',
    },
  },
  {
    table: 'attendance',
    what: what.attendance,
    read: async (db, ...of) => {
      const keys = await classKeys(db)
      const ofHerClass = rowsOf(
        (p) => sql`attendance t where not t.withdrawn and t.who = 'learners' and exists (
          select from students s join classes k on k.id = s.class_id join ${keys} on n.name = k.name
          where s.id = any(${p.student_ids}::bigint[]) and t.school_id = s.school_id and t.class = n.key) order by t.date`,
      )
      return ofHerClass(db, ...of)
    },
    stays: {
      en: 'numbers of a class: they name nobody',
      fr: 'les chiffres d’une classe : ils ne nomment personne',
    },
  },
  {
    table: 'users',
    what: what.registers,
    read: rowsOf((p) => sql`users t where t.id = ${p.user_id}`),
    erase: inOrder(
      (p) => sql`delete from users u where u.id = ${p.user_id} and not u.account
        and not exists (select from students where user_id = u.id) and not exists (select from partners where user_id = u.id)`,
      (
        p,
      ) => sql`update users set first_name = '—', last_name = '—', email = null, gender = null, type = null, user_title = null,
          date_of_birth = null, password_hash = null, totp_secret = null, totp_confirmed_at = null, totp_last_step = null, locale = null
        where id = ${p.user_id}`,
    ),
    stays: {
      en: 'the number of the person, where payments were made, an account acted or she is the contact of a partner: the audit log, lists and partners refer to it',
      fr: 'le numéro de la personne, si des paiements ont eu lieu, si un compte a agi ou s’il s’agit du contact d’un partenaire : le journal d’audit, les listes et les partenaires y renvoient',
    },
  },
]
