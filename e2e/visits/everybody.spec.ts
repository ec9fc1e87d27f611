import { testAccessibleSights } from '../accessible-sights.ts'
import { byRole } from '../visits.ts'

for (const [role, screens] of byRole()) testAccessibleSights(role, screens, { twice: true })
