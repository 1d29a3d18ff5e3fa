package dev.mooring.binder;

import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.LabelSelector.Requirement;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/** Requests of pending claims that no volume suits, each slightly different from the others. */
enum ClusterShape {
  OWN_LABEL {
    @Override
    LabelSelector selector(int i) {
      return new LabelSelector(Map.of("id", "none-" + i), List.of());
    }
  },
  LABELS_THAT_NEVER_MEET {
    @Override
    LabelSelector selector(int i) {
      return new LabelSelector(
          Map.of("half", "a", "other", "a"),
          List.of(new Requirement("x" + i, "DoesNotExist", List.of())));
    }
  },
  NOT_WHAT_ALL_ARE {
    @Override
    LabelSelector selector(int i) {
      return new LabelSelector(
          Map.of(), List.of(new Requirement("all", "NotIn", List.of("same", "x" + i))));
    }
  },
  WITHOUT_WHAT_ALL_HAVE {
    @Override
    LabelSelector selector(int i) {
      return new LabelSelector(
          Map.of(),
          List.of(
              new Requirement("all", "DoesNotExist", List.of()),
              new Requirement("x" + i, "DoesNotExist", List.of())));
    }
  },
  ONE_OF_MANY_VALUES {
    @Override
    LabelSelector selector(int i) {
      return new LabelSelector(
          Map.of(),
          List.of(
              new Requirement(
                  "id", "In", IntStream.range(0, 100).mapToObj(n -> "n" + i + "-" + n).toList()),
              new Requirement("half", "Exists", List.of())));
    }
  },
  MANY_TERMS {
    @Override
    LabelSelector selector(int i) {
      return new LabelSelector(
          Map.of(),
          IntStream.range(0, 100)
              .mapToObj(n -> new Requirement("all", "NotIn", List.of("n" + i + n, "same")))
              .toList());
    }
  },
  MANY_LABELS {
    @Override
    LabelSelector selector(int i) {
      return new LabelSelector(
          Map.of(),
          IntStream.range(0, 100)
              .mapToObj(n ->
                  new Requirement(
                      n == 0 ? "all" : "l" + n, "NotIn", List.of("same", "v99", "n" + i)))
              .toList());
    }
  },
  VALUES_OF_ONE_HASH {
    @Override
    LabelSelector selector(int i) {
      return new LabelSelector(Map.of("id", stringOfEqualHash(i)), List.of());
    }
  },
  TOO_LARGE {
    @Override
    Quantity request(int i) {
      return Quantity.of(1000 + i + "Ti");
    }
  },
  OTHER_MODES {
    @Override
    AccessModes modes() {
      return AccessModes.of("ReadWriteMany", "ReadWriteOncePod");
    }
  };

  LabelSelector selector(int i) {
    return null;
  }

  Quantity request(int i) {
    return Quantity.of("1Gi");
  }

  AccessModes modes() {
    return AccessModes.of("ReadWriteOnce");
  }

  Claim claim(int i) {
    return ClusterShape.claim("evil", "c" + i, request(i), modes(), selector(i));
  }

  /** Returns different texts with equal hashes. */
  static String stringOfEqualHash(int i) {
    StringBuilder text = new StringBuilder();
    for (int bit = 0; bit < 17; bit++) {
      text.append((i >> bit & 1) == 0 ? "Aa" : "BB");
    }
    return text.toString();
  }

  static Claim claim(
      String namespace, String name, Quantity request, AccessModes modes, LabelSelector selector) {
    return TestObjects.claim(namespace, name)
        .accessModes(modes)
        .request(request)
        .storageClass("")
        .selector(selector)
        .phase(ClaimPhase.PENDING)
        .build();
  }

  static Claim plain(String name) {
    return claim("good", name, Quantity.of("1Gi"), AccessModes.of("ReadWriteOnce"), null);
  }

  static Claim plain(String name, LabelSelector selector) {
    return claim("good", name, Quantity.of("1Gi"), AccessModes.of("ReadWriteOnce"), selector);
  }

  /** Returns a volume whose labels count their reads. */
  static Volume volume(int i, LongAdder labelReads) {
    return volume(
        i, Map.of("all", "same", "id", "v" + i, i % 2 == 0 ? "half" : "other", "a"), labelReads);
  }

  static Volume volume(int i, Map<String, String> labels, LongAdder labelReads) {
    return new Volume(
        new Meta(
            ObjectKey.cluster("v" + i),
            Uid.of("v" + i),
            1,
            i,
            0,
            new Reconciles(
                labels,
                labelReads), // not with a builder, which would copy the labels and lose the count
            Map.of(),
            List.of()),
        Map.of("storage", Quantity.of(10 + i % 100 + "Gi")),
        VolumeSource.NONE,
        AccessModes.of("ReadWriteOnce"),
        null,
        ReclaimPolicy.RETAIN,
        "",
        VolumeMode.FILESYSTEM,
        "",
        new Volume.Status(VolumePhase.AVAILABLE, "", ""));
  }
}
