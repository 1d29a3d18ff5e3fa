package dev.mooring.populator.execute;

import dev.mooring.cluster.Document;
import dev.mooring.live.RawObject;
import dev.mooring.model.Claim;
import dev.mooring.model.DataSourceRef;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.populator.decide.PopulatorMarks;
import dev.mooring.spi.Populator.Progress.RunPod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Contents of prime claims, populator pods and rebound volumes. */
final class PrimeDocuments {
  private static final String METADATA = "metadata";
  private static final String ANNOTATIONS = "annotations";
  private static final String SPEC = "spec";
  private static final String CLAIM_REF = "claimRef";

  private PrimeDocuments() {}

  static Document buildPrime(Claim claim, String node) {
    Document prime =
        Document.empty()
            .set(claim.key().toString(), METADATA, ANNOTATIONS, PopulatorMarks.POPULATES)
            .set(claim.accessModes().written(), SPEC, "accessModes")
            .set(claim.request().toString(), SPEC, "resources", "requests", "storage")
            .set(claim.className(), SPEC, "storageClassName")
            .set(claim.volumeMode().toString(), SPEC, "volumeMode");
    if (!claim.attributesClass().isEmpty()) {
      prime.set(claim.attributesClass(), SPEC, "volumeAttributesClassName");
    }
    return node.isEmpty() ? prime : addNode(prime, node);
  }

  static Document addNode(Document prime, String node) {
    return prime
        .set(node, METADATA, ANNOTATIONS, PopulatorMarks.SELECTED_NODE)
        .set(node, METADATA, ANNOTATIONS, PopulatorMarks.ON_NODE);
  }

  static Document buildPod(Map<String, Object> template, ObjectKey claim, Claim prime) {
    Document pod = Document.empty();
    template.forEach((name, value) -> {
      if (value instanceof Map<?, ?> members && (name.equals(METADATA) || name.equals(SPEC))) {
        members.forEach((member, v) -> pod.set(v, name, String.valueOf(member)));
      } else {
        pod.set(value, name);
      }
    });
    RawObject raw = new RawObject(template);
    Map<?, ?> spec = raw.at(SPEC).members();
    Map<String, Object> annotations = new LinkedHashMap<>();
    raw.at(METADATA, ANNOTATIONS)
        .members()
        .forEach((key, value) -> annotations.put(String.valueOf(key), String.valueOf(value)));
    annotations.put(PopulatorMarks.POPULATES, claim + "/" + prime.meta().uid());
    if (!spec.containsKey("restartPolicy")) {
      pod.set("Never", SPEC, "restartPolicy");
    }
    return pod.set(annotations, METADATA, ANNOTATIONS)
        .set(withTarget(spec.get("volumes"), prime), SPEC, "volumes");
  }

  private static List<Object> withTarget(@Nullable Object volumes, Claim prime) {
    List<Object> all = new ArrayList<>(volumes instanceof List<?> list ? list : List.of());
    all.add(
        Map.of(
            "name",
            RunPod.VOLUME,
            "persistentVolumeClaim",
            Map.of("claimName", prime.meta().name())));
    return all;
  }

  static Document buildRebinding(Volume volume, Claim claim) {
    Document patch =
        Document.patchOf(volume.meta())
            .set("PersistentVolumeClaim", SPEC, CLAIM_REF, "kind")
            .set("v1", SPEC, CLAIM_REF, "apiVersion")
            .set(claim.key().namespace(), SPEC, CLAIM_REF, "namespace")
            .set(claim.key().name(), SPEC, CLAIM_REF, "name")
            .set(claim.meta().uid().toString(), SPEC, CLAIM_REF, "uid")
            .set(Long.toString(claim.meta().resourceVersion()), SPEC, CLAIM_REF, "resourceVersion");
    DataSourceRef source = claim.dataSourceRef();
    return patch.set(
        source == null ? "" : source.key(claim.key().namespace()).toString(),
        METADATA,
        ANNOTATIONS,
        PopulatorMarks.POPULATED_FROM);
  }
}
