import { Trans } from '@lingui/react/macro'
import { Icon } from '@portal/ui/Icon'
import { PublicHead } from './PublicHead.tsx'

/** What the programme is, for whoever comes by. No data calls. */
export function LandingPage() {
  return (
    <div className="landing front">
      <div className="landing-words">
        <PublicHead signIn />
        <main>
          <h1>
            <Trans>Girls’ education cash transfers</Trans>
          </h1>
          <p className="landing-line">
            <Trans>School grants that reach the right guardian, on time and to the franc.</Trans>
          </p>
          <p className="landing-act">
            <a className="button primary" href="/login">
              <Trans>Sign in</Trans>
            </a>
            <span className="small muted">
              <Trans>For staff and partners. Consultants use the link in their invitation.</Trans>
            </span>
          </p>
          <div className="landing-cards">
            <section className="card card-body">
              <Icon name="shield" />
              <h2>
                <Trans>Our mission</Trans>
              </h2>
              <p>
                <Trans>
                  We pay school grants to the families of over 15,000 girls in 200 schools, and account for
                  every payment from the target list to the guardian’s phone.
                </Trans>
              </p>
            </section>
            <section className="card card-body">
              <Icon name="school" />
              <h2>
                <Trans>Investing in girls</Trans>
              </h2>
              <p>
                <Trans>
                  A girl who stays in school earns more later and sends her own children to class. A small,
                  regular amount is often what keeps her place open.
                </Trans>
              </p>
            </section>
          </div>
        </main>
        <footer className="small muted">
          <Trans>Run by a consortium of partners in Mali and Senegal.</Trans>
        </footer>
      </div>
      <div className="cloth" aria-hidden="true" />
    </div>
  )
}
