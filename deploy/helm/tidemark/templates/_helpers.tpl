{{- define "tidemark.name" -}}
{{- if contains "tidemark" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-tidemark" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "tidemark.selector" -}}
app.kubernetes.io/name: tidemark
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "tidemark.labels" -}}
{{ include "tidemark.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "tidemark.image" -}}
{{ required "set image.repository: the address of the image in your registry" .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* Settings that every process has. */}}
{{- define "tidemark.environment" -}}
- name: PUBLIC_URL
  value: {{ required "set publicUrl, such as https://billing.example.com" .Values.publicUrl | quote }}
- name: TEMPORAL_ADDRESS
  value: {{ required "set temporal.address: host and port of the Temporal frontend" .Values.temporal.address | quote }}
- name: TEMPORAL_NAMESPACE
  value: {{ .Values.temporal.namespace | quote }}
{{- with .Values.temporal.uiUrl }}
- name: TEMPORAL_UI_URL
  value: {{ . | quote }}
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  {{- /* A number of values.yaml is a float, and 1000000 would become 1e+06. */}}
  value: {{ if kindIs "string" $value }}{{ $value | quote }}{{ else }}{{ $value | toJson | quote }}{{ end }}
{{- end }}
{{- end }}

{{- define "tidemark.secrets" -}}
- secretRef:
    name: {{ required "set existingSecret: the name of a Secret with DATABASE_URL and TIDEMARK_SECRET" .Values.existingSecret }}
{{- end }}

{{- define "tidemark.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "tidemark.containerSecurity" -}}
readOnlyRootFilesystem: true
allowPrivilegeEscalation: false
capabilities:
  drop: [ALL]
{{- end }}

{{- define "tidemark.scheme" -}}
{{ if .Values.tls.existingSecret }}HTTPS{{ else }}HTTP{{ end }}
{{- end }}

{{- define "tidemark.spread" -}}
- maxSkew: 1
  topologyKey: kubernetes.io/hostname
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "tidemark.selector" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .component }}
{{- end }}
