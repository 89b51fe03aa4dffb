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

{{/* A job before the pods of a new or changed release: root, component, weight (its place in their order), command, and adminSecret or none. */}}
{{- define "tidemark.hookJob" -}}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ include "tidemark.name" .root }}-{{ .component }}
  labels:
    {{- include "tidemark.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
  annotations:
    helm.sh/hook: pre-install,pre-upgrade
    helm.sh/hook-weight: {{ .weight | quote }}
    # It stays after its end, for its log.
    helm.sh/hook-delete-policy: before-hook-creation
spec:
  backoffLimit: 6
  template:
    metadata:
      labels:
        {{- include "tidemark.labels" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .component }}
    spec:
      # Of a failed attempt the log stays.
      restartPolicy: Never
      automountServiceAccountToken: false
      securityContext:
        {{- include "tidemark.podSecurity" .root | nindent 8 }}
      {{- with .root.Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ .component }}
          image: {{ include "tidemark.image" .root }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          command:
            {{- toYaml .command | nindent 12 }}
          securityContext:
            {{- include "tidemark.containerSecurity" .root | nindent 12 }}
          envFrom:
            {{- include "tidemark.secrets" .root | nindent 12 }}
            {{- with .adminSecret }}
            - secretRef:
                name: {{ . }}
            {{- end }}
          env:
            {{- include "tidemark.environment" .root | nindent 12 }}
          resources:
            {{- toYaml .root.Values.setup.resources | nindent 12 }}
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
      volumes:
        - name: tmp
          emptyDir: {}
{{- end }}
