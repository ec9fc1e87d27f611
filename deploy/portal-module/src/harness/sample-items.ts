import type { Items } from '@portal/sdk'

/** What the tabs of a module are shown on where there is no portal. */
export const sampleItems: Items = {
  school: { id: 1, name: 'Kita primary school', code: 'KIT-001' },
  student: { id: 1, code: 'ML-2026-00001', school_id: 1 },
  case: { id: 1, number: 'C-2026-0001' },
}
