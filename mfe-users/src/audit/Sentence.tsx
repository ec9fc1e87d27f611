import type { AuditLog } from '@portal/contracts/audit'
import { Link } from 'react-router-dom'

/**
 * What happened; the name of what it is about leads to its page, where this reader may open it. A link inside a sentence is
 * underlined, because its colour alone does not tell it from the words around it.
 */
export const Sentence = ({ of }: { of: AuditLog['sentence'] }) => (
  <span>
    {of.map(({ text, link }) =>
      link ? (
        <Link key={link} to={link} style={{ textDecoration: 'underline' }}>
          {text}
        </Link>
      ) : (
        text
      ),
    )}
  </span>
)
