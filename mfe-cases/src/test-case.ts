import type { Case } from '@portal/contracts/cases'

/** An open case of a high priority that should have been decided in June. */
export const overdueCase: Case = {
  id: 7,
  number: 'CAS-2026-0007',
  title: 'Not paid since June',
  description: 'Her guardian says so',
  status: 'open',
  priority: 'high_1_day',
  type: { id: 1, name: 'Payment' },
  channel: { id: 2, name: 'Telephone' },
  assigned_id: 1,
  assigned: { first_name: 'Awa', last_name: 'Keïta' },
  user: { first_name: 'Moussa', last_name: 'Ba' },
  plaintiff: null,
  tags: [],
  due_on: '2026-06-04',
  overdue: true,
  created_at: '2026-06-03T10:00:00.000Z',
  version: 1,
}
