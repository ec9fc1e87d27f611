import { testAccessibleSights } from '../accessible-sights.ts'
import { byRole } from '../visits.ts'

for (const [role, screens] of byRole()) if (role && role !== 'admin') testAccessibleSights(role, screens)
