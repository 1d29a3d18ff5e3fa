package dev.mooring.it.csi;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.it.RestApi;
import java.util.List;

/** Snapshot and ReferenceGrant kinds, which exist only once their definitions are installed. */
final class SourceKinds {
  private final RestApi api;

  private SourceKinds(RestApi api) {
    this.api = api;
  }

  static SourceKinds install(CsiCluster cluster) throws Exception {
    SourceKinds kinds = installGrants(cluster);
    kinds.defineKind("snapshot.storage.k8s.io", "v1", "VolumeSnapshot", "Namespaced");
    kinds.defineKind("snapshot.storage.k8s.io", "v1", "VolumeSnapshotContent", "Cluster");
    return kinds;
  }

  /** Installs only the definition of ReferenceGrant. */
  static SourceKinds installGrants(CsiCluster cluster) throws Exception {
    SourceKinds kinds = new SourceKinds(RestApi.of(cluster.kubeconfig()));
    kinds.defineKind("gateway.networking.k8s.io", "v1beta1", "ReferenceGrant", "Namespaced");
    return kinds;
  }

  private void defineKind(String group, String version, String kind, String scope)
      throws Exception {
    String plural = RestApi.plural(kind);
    create(
        """
        {"kind": "CustomResourceDefinition", "apiVersion": "apiextensions.k8s.io/v1", "metadata": {"name": "%s.%s", "annotations": {"api-approved.kubernetes.io": "unapproved, for tests"}},
         "spec": {"group": "%s", "scope": "%s", "names": {"plural": "%s", "kind": "%s"}, "versions": [{"name": "%s", "served": true, "storage": true,
          "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]}}
        """
            .formatted(plural, group, group, scope, plural, kind, version));
  }

  JsonObject create(String json) throws Exception {
    return api.create(JsonParser.parseString(json).getAsJsonObject());
  }

  /** Creates a restorable snapshot with the driver's handle. */
  void createSnapshot(
      String namespace, String name, String driver, String handle, List<String> finalizers)
      throws Exception {
    JsonObject snapshot =
        create(
            """
            {"kind": "VolumeSnapshot", "apiVersion": "snapshot.storage.k8s.io/v1", "metadata": {"namespace": "%s", "name": "%s", "finalizers": [%s]},
             "spec": {"source": {}}, "status": {"boundVolumeSnapshotContentName": "content-%s", "readyToUse": true, "restoreSize": "1Gi"}}
            """
                .formatted(
                    namespace,
                    name,
                    String.join(
                        ",", finalizers.stream().map(finalizer -> '"' + finalizer + '"').toList()),
                    name));
    create(
        """
        {"kind": "VolumeSnapshotContent", "apiVersion": "snapshot.storage.k8s.io/v1", "metadata": {"name": "content-%s"},
         "spec": {"driver": "%s", "volumeSnapshotRef": {"namespace": "%s", "name": "%s", "uid": "%s"}}, "status": {"snapshotHandle": "%s"}}
        """
            .formatted(
                name,
                driver,
                namespace,
                name,
                snapshot.getAsJsonObject("metadata").get("uid").getAsString(),
                handle));
  }

  /** Returns the metadata of a snapshot as text; "" if there is none. */
  String readSnapshotMetadata(String namespace, String name) {
    try {
      return api.get("VolumeSnapshot", namespace, name).get("metadata").toString();
    } catch (RestApi.ErrorResponse e) {
      return "";
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  void deleteSnapshot(String namespace, String name) throws Exception {
    api.delete("VolumeSnapshot", namespace, name, -1);
  }

  RestApi api() {
    return api;
  }
}
