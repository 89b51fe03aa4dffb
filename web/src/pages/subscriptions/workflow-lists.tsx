import { Section } from '../../components/page.tsx';
import { useDashboard } from '../../shell/session.tsx';

/** Links to operators' filters in the Temporal UI. Renders nothing if its address is not known. */
export function WorkflowLists() {
  const { temporal_ui_url, temporal_namespace, workflow_lists } = useDashboard();
  if (temporal_ui_url === null) return null;
  const workflows = `${temporal_ui_url}/namespaces/${encodeURIComponent(temporal_namespace)}/workflows`;
  return (
    <Section title="In the Temporal UI">
      <ul class="links">
        {workflow_lists.map(({ name, query }) => (
          <li key={name}>
            <a href={`${workflows}?query=${encodeURIComponent(query)}`} target="_blank" rel="noreferrer">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}
