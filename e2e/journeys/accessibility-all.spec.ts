import { testAccessibleSights } from '../accessible-sights.ts'
import { byRole } from '../visits.ts'

// Visitors and administrators see most of the screens; the part `visits` looks at those of every role, and twice.
for (const [role, screens] of byRole()) if (!role || role === 'admin') testAccessibleSights(role, screens)
