{{- /* Generated from the rights that the controllers declare: do not edit. */ -}}
{{- define "mooring.rights.replace.everywhere" }}
- { apiGroups: [""], resources: [nodes, pods], verbs: [get, list, watch] }
- { apiGroups: [""], resources: [nodes/status, persistentvolumeclaims/status, persistentvolumes/status], verbs: [patch] }
- { apiGroups: [""], resources: [persistentvolumeclaims], verbs: [get, list, watch, create, patch] }
- { apiGroups: [""], resources: [persistentvolumes], verbs: [get, list, watch, create, patch, delete] }
- { apiGroups: [""], resources: [pods/finalizers], verbs: [update] }
- { apiGroups: [events.k8s.io], resources: [events], verbs: [create, patch] }
- { apiGroups: [populator.storage.k8s.io], resources: [volumepopulators], verbs: [list] }
- { apiGroups: [storage.k8s.io], resources: [csidrivers, storageclasses], verbs: [get, list, watch] }
- { apiGroups: [storage.k8s.io], resources: [volumeattachments], verbs: [get, list, watch, create, patch, delete] }
- { apiGroups: [storage.k8s.io], resources: [volumeattributesclasses], verbs: [list, watch, patch] }
{{- end }}
{{- define "mooring.rights.beside.everywhere" }}
- { apiGroups: [""], resources: [persistentvolumeclaims], verbs: [get, list, watch, patch] }
- { apiGroups: [""], resources: [persistentvolumeclaims/status], verbs: [patch] }
- { apiGroups: [""], resources: [persistentvolumes], verbs: [get, list, watch, create, patch, delete] }
- { apiGroups: [events.k8s.io], resources: [events], verbs: [create, patch] }
- { apiGroups: [populator.storage.k8s.io], resources: [volumepopulators], verbs: [list] }
- { apiGroups: [storage.k8s.io], resources: [storageclasses], verbs: [list, watch] }
{{- end }}
{{- define "mooring.rights.csi.everywhere" }}
- { apiGroups: [""], resources: [nodes, pods], verbs: [list, watch] }
- { apiGroups: [""], resources: [persistentvolumeclaims], verbs: [get, list, watch, patch] }
- { apiGroups: [""], resources: [persistentvolumeclaims/status], verbs: [patch] }
- { apiGroups: [""], resources: [persistentvolumes], verbs: [get, list, watch, create, patch, delete] }
- { apiGroups: [events.k8s.io], resources: [events], verbs: [create, patch] }
- { apiGroups: [snapshot.storage.k8s.io], resources: [volumesnapshotcontents], verbs: [get] }
- { apiGroups: [snapshot.storage.k8s.io], resources: [volumesnapshots], verbs: [get, list, patch] }
- { apiGroups: [storage.k8s.io], resources: [csinodes, storageclasses], verbs: [list, watch] }
- { apiGroups: [storage.k8s.io], resources: [volumeattachments], verbs: [get, list, watch, patch] }
- { apiGroups: [storage.k8s.io], resources: [volumeattachments/status], verbs: [patch] }
- { apiGroups: [storage.k8s.io], resources: [volumeattributesclasses], verbs: [get, list] }
{{- end }}
{{- define "mooring.rights.snapshots.everywhere" }}
- { apiGroups: [snapshot.storage.k8s.io], resources: [volumesnapshotclasses], verbs: [list, watch] }
- { apiGroups: [snapshot.storage.k8s.io], resources: [volumesnapshotcontents], verbs: [list, watch, patch] }
- { apiGroups: [snapshot.storage.k8s.io], resources: [volumesnapshotcontents/status], verbs: [patch] }
- { apiGroups: [snapshot.storage.k8s.io], resources: [volumesnapshots], verbs: [watch] }
{{- end }}
{{- define "mooring.rights.capacity.everywhere" }}
{{- end }}
{{- define "mooring.rights.snapshotController.everywhere" }}
- { apiGroups: [""], resources: [persistentvolumeclaims], verbs: [get, list, watch, patch] }
- { apiGroups: [""], resources: [persistentvolumes], verbs: [list, watch] }
- { apiGroups: [events.k8s.io], resources: [events], verbs: [create, patch] }
- { apiGroups: [snapshot.storage.k8s.io], resources: [volumesnapshotclasses], verbs: [list, watch] }
- { apiGroups: [snapshot.storage.k8s.io], resources: [volumesnapshotcontents], verbs: [get, list, watch, create, patch, delete] }
- { apiGroups: [snapshot.storage.k8s.io], resources: [volumesnapshots], verbs: [get, list, watch, patch] }
- { apiGroups: [snapshot.storage.k8s.io], resources: [volumesnapshots/status], verbs: [patch] }
- { apiGroups: [storage.k8s.io], resources: [storageclasses], verbs: [list, watch] }
{{- end }}
{{- define "mooring.rights.groupSnapshots.everywhere" }}
- { apiGroups: [groupsnapshot.storage.k8s.io], resources: [volumegroupsnapshotclasses], verbs: [list, watch] }
- { apiGroups: [groupsnapshot.storage.k8s.io], resources: [volumegroupsnapshotcontents], verbs: [get, list, watch, patch] }
- { apiGroups: [groupsnapshot.storage.k8s.io], resources: [volumegroupsnapshotcontents/status], verbs: [patch] }
- { apiGroups: [groupsnapshot.storage.k8s.io], resources: [volumegroupsnapshots], verbs: [get] }
{{- end }}
{{- define "mooring.rights.groupSnapshotController.everywhere" }}
- { apiGroups: [groupsnapshot.storage.k8s.io], resources: [volumegroupsnapshotclasses], verbs: [list, watch] }
- { apiGroups: [groupsnapshot.storage.k8s.io], resources: [volumegroupsnapshotcontents], verbs: [get, list, watch, create, patch, delete] }
- { apiGroups: [groupsnapshot.storage.k8s.io], resources: [volumegroupsnapshots], verbs: [get, list, watch, patch] }
- { apiGroups: [groupsnapshot.storage.k8s.io], resources: [volumegroupsnapshots/status], verbs: [patch] }
- { apiGroups: [snapshot.storage.k8s.io], resources: [volumesnapshotcontents/status], verbs: [patch] }
- { apiGroups: [snapshot.storage.k8s.io], resources: [volumesnapshots], verbs: [create, delete] }
{{- end }}
{{- define "mooring.rights.selinuxWarnings.everywhere" }}
- { apiGroups: [""], resources: [persistentvolumeclaims, persistentvolumes, pods], verbs: [list, watch] }
- { apiGroups: [events.k8s.io], resources: [events], verbs: [create, patch] }
- { apiGroups: [storage.k8s.io], resources: [csidrivers, storageclasses], verbs: [list, watch] }
{{- end }}
{{- define "mooring.rights.unusedClaims.everywhere" }}
{{- end }}
{{- define "mooring.rights.metrics.everywhere" }}
- { apiGroups: [authentication.k8s.io], resources: [tokenreviews], verbs: [create] }
- { apiGroups: [authorization.k8s.io], resources: [subjectaccessreviews], verbs: [create] }
{{- end }}
{{- define "mooring.rights.rehearsal.everywhere" }}
- { apiGroups: [""], resources: [nodes, persistentvolumeclaims, persistentvolumes, pods], verbs: [get] }
- { apiGroups: [storage.k8s.io], resources: [storageclasses, volumeattachments, volumeattributesclasses], verbs: [get] }
{{- end }}
{{- define "mooring.rights.pluginPods.everywhere" }}
- { apiGroups: [""], resources: [nodes], verbs: [get, list] }
{{- end }}
{{- define "mooring.rights.populators.everywhere" }}
{{- end }}
{{- define "mooring.rights.outOfService.everywhere" }}
- { apiGroups: [""], resources: [nodes], verbs: [get, list, watch, patch] }
{{- end }}
{{- define "mooring.rights.console.everywhere" }}
- { apiGroups: [""], resources: [events], verbs: [list] }
- { apiGroups: [""], resources: [nodes, pods], verbs: [list, watch] }
- { apiGroups: [""], resources: [persistentvolumeclaims, persistentvolumes], verbs: [get, list, watch] }
- { apiGroups: [coordination.k8s.io], resources: [leases], verbs: [list, watch] }
- { apiGroups: [groupsnapshot.storage.k8s.io], resources: [volumegroupsnapshotclasses, volumegroupsnapshotcontents, volumegroupsnapshots], verbs: [list, watch] }
- { apiGroups: [snapshot.storage.k8s.io], resources: [volumesnapshotclasses, volumesnapshotcontents, volumesnapshots], verbs: [list, watch] }
- { apiGroups: [storage.k8s.io], resources: [csidrivers, csinodes, csistoragecapacities, volumeattachments], verbs: [list, watch] }
- { apiGroups: [storage.k8s.io], resources: [storageclasses], verbs: [get, list, watch] }
- { apiGroups: [storage.k8s.io], resources: [volumeattributesclasses], verbs: [get, list] }
{{- end }}
{{- define "mooring.rights.in.own" }}
- { apiGroups: [coordination.k8s.io], resources: [leases], verbs: [create] }
- { apiGroups: [coordination.k8s.io], resources: [leases], resourceNames: [{{ include "mooring.lease" . }}], verbs: [get, watch, patch] }
{{- end }}
{{- define "mooring.rights.in.capacity" }}
- { apiGroups: [""], resources: [pods], verbs: [get] }
- { apiGroups: [apps], resources: [replicasets], verbs: [get] }
- { apiGroups: [storage.k8s.io], resources: [csistoragecapacities], verbs: [get, list, create, patch, delete] }
{{- end }}
{{- define "mooring.rights.in.recycler" }}
- { apiGroups: [""], resources: [events], verbs: [list] }
- { apiGroups: [""], resources: [pods], verbs: [create, delete] }
{{- end }}
{{- define "mooring.rights.in.kubeControllerManager" }}
- { apiGroups: [coordination.k8s.io], resources: [leases], resourceNames: [kube-controller-manager], verbs: [get] }
{{- end }}
{{- define "mooring.rights.in.nodeLeases" }}
- { apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get] }
{{- end }}
{{- define "mooring.rights.in.pluginPods" }}
- { apiGroups: [""], resources: [pods], verbs: [get, create, delete] }
{{- end }}
{{- define "mooring.rights.in.populators" }}
- { apiGroups: [""], resources: [persistentvolumeclaims], verbs: [create, delete] }
- { apiGroups: [""], resources: [pods], verbs: [get, create, delete] }
{{- end }}
{{- define "mooring.rights.in.secrets" }}
- { apiGroups: [""], resources: [secrets], verbs: [get] }
{{- end }}
