/** Links to workflows in Temporal's Web UI. @returns a function that returns null without a configured Web UI */
export function runsAt({
  TEMPORAL_UI_URL: ui,
  TEMPORAL_NAMESPACE: namespace,
}: {
  TEMPORAL_UI_URL?: string | undefined;
  TEMPORAL_NAMESPACE: string;
}): (workflowId: string | null) => string | null {
  return (workflowId) =>
    ui === undefined || workflowId === null
      ? null
      : `${ui}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`;
}
