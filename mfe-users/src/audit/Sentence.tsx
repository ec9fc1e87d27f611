import type { AuditLog } from '@portal/contracts/audit'
import { Link } from 'react-router-dom'

/** What happened; the name of what it is about leads to its page, where this reader may open it. */
export const Sentence = ({ of }: { of: AuditLog['sentence'] }) => (
  <span>
    {of.map(({ text, link }) =>
      link ? (
        <Link key={link} to={link}>
          {text}
        </Link>
      ) : (
        text
      ),
    )}
  </span>
)
