import { lazy, Suspense, useState } from 'react'

const Forecast = lazy(() => import('./Forecast.jsx'))

export default function Report() {
  const [days, setDays] = useState(0)
  return (
    <section>
      <h1>Rain in Kayes</h1>
      <p>Today 12 mm fell.</p>
      <button type="button" onClick={() => setDays(days + 1)}>
        One day further
      </button>
      {days > 0 && (
        <Suspense fallback={<p>…</p>}>
          <Forecast days={days} />
        </Suspense>
      )}
    </section>
  )
}
