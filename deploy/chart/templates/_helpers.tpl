{{- define "mooring.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "mooring.account" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "mooring.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "mooring.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}
{{- end -}}

{{- define "mooring.lease" -}}
{{- default (include "mooring.fullname" .) .Values.leaderElection.leaseName -}}
{{- end -}}

{{- define "mooring.selector" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "mooring.labels" -}}
{{ include "mooring.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "mooring.hasDrivers" -}}
{{- if .Values.csi.drivers }}true{{ end -}}
{{- end -}}

{{- define "mooring.showsPage" -}}
{{- if or (eq .Values.mode "console") .Values.console.enabled }}true{{ end -}}
{{- end -}}

{{- define "mooring.pageAt" -}}
{{- if .Values.console.tlsSecret }}0.0.0.0:10288{{ else }}127.0.0.1:10288{{ end -}}
{{- end -}}

{{- /* Name of the port that serves health outside the pod; "" if there is none. */ -}}
{{- define "mooring.healthPort" -}}
{{- if .Values.metrics.enabled }}metrics{{ else if and (eq .Values.mode "console") .Values.console.tlsSecret }}console{{ end -}}
{{- end -}}

{{- /* Secret of the server certificate; all endpoints of the process share it. */ -}}
{{- define "mooring.tlsSecret" -}}
{{- if and .Values.metrics.enabled .Values.metrics.tlsSecret }}{{ .Values.metrics.tlsSecret }}
{{- else if and (include "mooring.showsPage" .) .Values.console.tlsSecret }}{{ .Values.console.tlsSecret }}{{ end -}}
{{- end -}}
