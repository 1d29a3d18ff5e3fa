package dev.mooring.binder.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.testkit.ClaimBuilder;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.VolumeBuilder;
import java.util.function.UnaryOperator;

/** Volumes and claims that match unless a row changes them. */
public final class VolumesAndClaims {
  public static final ObjectKey CLAIM = ObjectKey.of("default", "c");
  public static final Uid UID = Uid.of("u");

  private VolumesAndClaims() {}

  public static Volume volume(String name, String size, UnaryOperator<VolumeBuilder> change) {
    VolumeBuilder free =
        TestObjects.volume(name)
            .uid("uid-" + name)
            .created(1)
            .storage(size)
            .accessModes("ReadWriteOnce", "ReadOnlyMany")
            .phase(VolumePhase.AVAILABLE);
    return change.apply(free).build();
  }

  public static Volume volume(String name, String size) {
    return volume(name, size, v -> v);
  }

  public static Claim claim(String size, UnaryOperator<ClaimBuilder> change) {
    ClaimBuilder pending =
        TestObjects.claim(CLAIM)
            .uid(UID)
            .created(1)
            .request(size)
            .accessModes("ReadWriteOnce", "ReadOnlyMany")
            .phase(ClaimPhase.PENDING);
    return change.apply(pending).build();
  }

  public static Claim claim(String size) {
    return claim(size, c -> c);
  }

  /** Returns a claim of the same name with another uid. */
  static Claim claimOf(String uid) {
    return claim("1Gi", c -> c.uid(uid));
  }
}
