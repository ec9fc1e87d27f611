import { Bar, BarChart, Tooltip, XAxis, YAxis } from 'recharts'

const weighed = [
  { month: '2026-01', girls: 210 },
  { month: '2026-02', girls: 180 },
]

/** Girls weighed by month, in the colours of the portal. */
export function Chart() {
  return (
    <BarChart width={320} height={200} data={weighed} accessibilityLayer>
      <XAxis dataKey="month" />
      <YAxis />
      <Tooltip />
      <Bar dataKey="girls" fill="var(--accent)" isAnimationActive={false} />
    </BarChart>
  )
}
