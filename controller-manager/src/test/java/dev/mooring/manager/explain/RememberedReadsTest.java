package dev.mooring.manager.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RememberedReadsTest {
  private final List<String> asked = new ArrayList<>();
  private final LiveReader server =
      new LiveReader() {
        @Override
        public <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key) {
          asked.add("read " + kind.plural() + " " + key.name());
          return new ReadResult.Absent<>();
        }

        @Override
        public ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key) {
          asked.add("whole " + kind.plural() + " " + key.name());
          return new ReadResult.Found<>(Map.of("kind", kind.kind()));
        }

        @Override
        public <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace) {
          asked.add("list " + kind.plural() + " " + namespace);
          return new ReadResult.Failed<>("forbidden");
        }
      };

  /** Whatever the answer was, and whoever else has that name. */
  @Test
  void everythingIsAskedOnce() throws InterruptedException {
    RememberedReads reads = new RememberedReads(server);
    for (int i = 0; i < 3; i++) {
      assertThat(reads.read(Kind.STORAGE_CLASS, ObjectKey.cluster("a")))
          .isInstanceOf(ReadResult.Absent.class);
      assertThat(reads.read(Kind.NODE, ObjectKey.cluster("a")))
          .isInstanceOf(ReadResult.Absent.class);
      assertThat(reads.readWhole(Kind.NODE, ObjectKey.cluster("a")))
          .isEqualTo(new ReadResult.Found<>(Map.of("kind", "Node")));
      assertThat(reads.list(Kind.POD, "ns")).isInstanceOf(ReadResult.Failed.class);
      assertThat(reads.list(Kind.POD, "other")).isInstanceOf(ReadResult.Failed.class);
    }
    assertThat(asked)
        .containsExactly(
            "read storageclasses a",
            "read nodes a",
            "whole nodes a",
            "list pods ns",
            "list pods other");
  }
}
