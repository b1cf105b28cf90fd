interface WebUi {
  TEMPORAL_UI_URL?: string | undefined;
  TEMPORAL_NAMESPACE: string;
}

/**
 * Links to workflows in Temporal's Web UI. With the id of the run, a link opens the tab that says in words what happened;
 * without it, the newest run's history.
 * @returns a function that returns null without a configured Web UI
 */
export function runsAt(webUi: WebUi): (workflowId: string | null, runId?: string) => string | null {
  const list = listsAt(webUi);
  return (workflowId, runId) =>
    list === null || workflowId === null
      ? null
      : `${list}/${encodeURIComponent(workflowId)}${runId === undefined ? '' : `/${runId}/user-metadata`}`;
}

/** The address of the Web UI's list of workflows; null without a configured Web UI. */
export const listsAt = ({ TEMPORAL_UI_URL: ui, TEMPORAL_NAMESPACE: namespace }: WebUi): string | null =>
  ui === undefined ? null : `${ui}/namespaces/${encodeURIComponent(namespace)}/workflows`;
