package dev.mooring.model.migration;

import dev.mooring.model.AccessModes;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.NodeAffinity;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.model.migration.VolumeTranslation.Translated;
import dev.mooring.testkit.TestObjects;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

abstract class InTreeVolumesFixture {
  static final String ZONE = "topology.kubernetes.io/zone";
  static final String OLD_ZONE = "failure-domain.beta.kubernetes.io/zone";

  static Map<String, String> map(String... pairs) {
    Map<String, String> map = new HashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put(pairs[i], pairs[i + 1]);
    }
    return map;
  }

  /** A volume named pv before translation. */
  record Given(
      VolumeSource source,
      Map<String, String> labels,
      Map<String, String> annotations,
      AccessModes modes,
      NodeAffinity affinity,
      @Nullable ClaimRef claim) {
    static Given of(String type, String... attributes) {
      return new Given(
          new VolumeSource(type, map(attributes)),
          Map.of(),
          Map.of(),
          AccessModes.of("ReadWriteOnce"),
          NodeAffinity.NONE,
          null);
    }

    Given labels(String... pairs) {
      return new Given(source, map(pairs), annotations, modes, affinity, claim);
    }

    Given annotations(String... pairs) {
      return new Given(source, labels, map(pairs), modes, affinity, claim);
    }

    Given withModes(String... names) {
      return new Given(source, labels, annotations, AccessModes.of(names), affinity, claim);
    }

    Given affinity(NodeAffinity newAffinity) {
      return new Given(source, labels, annotations, modes, newAffinity, claim);
    }

    Given withClaimIn(String namespace) {
      return new Given(
          source,
          labels,
          annotations,
          modes,
          affinity,
          new ClaimRef(ObjectKey.of(namespace, "c"), Uid.of("u")));
    }

    VolumeTranslation translate() {
      return InTreeVolumes.translate(
          TestObjects.volume(ObjectKey.cluster("pv"))
              .uid("u")
              .created(1)
              .labels(labels)
              .annotations(annotations)
              .capacity(Map.of())
              .source(source)
              .accessModes(modes)
              .claimRef(claim)
              .volumeMode(VolumeMode.BLOCK)
              .status(new Volume.Status(VolumePhase.BOUND, "", ""))
              .build(),
          affinity);
    }
  }

  static CsiVolume translated(VolumeTranslation translation) {
    if (translation instanceof Translated(CsiVolume volume)) {
      return volume;
    }
    throw new AssertionError(String.valueOf(translation));
  }

  static String gce(String location) {
    return "driver=pd.csi.storage.gke.io, volumeHandle=projects/UNSPECIFIED/"
        + location
        + "/disks/d, ";
  }
}
