package dev.mooring.informer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.CsiDriver;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.TestObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class FilteredListWatchTest {
  private final List<String> received = new ArrayList<>();

  private static CsiDriver driver(String name, long version) {
    return TestObjects.csiDriver(ObjectKey.cluster(name))
        .uid(name)
        .version(version)
        .created(1)
        .attachRequired(name.startsWith("wanted"))
        .build();
  }

  /** Lists two objects; the watch delivers additions, deletions and bookmarks. */
  private static final ListWatch<CsiDriver> ALL =
      new ListWatch<>() {
        @Override
        public boolean streamsLists() {
          return true;
        }

        @Override
        public long list(Consumer<CsiDriver> consumer) {
          consumer.accept(driver("wanted", 1));
          consumer.accept(driver("other", 2));
          return 3;
        }

        @Override
        public Page listFirstPage(int limit, Consumer<CsiDriver> consumer) {
          consumer.accept(driver("other", 2));
          consumer.accept(driver("wanted", 1));
          return new Page(3, true);
        }

        @Override
        public void catchUp(long sinceVersion, Sink<CsiDriver> sink) {
          sink.present(driver("other", 10));
          sink.present(driver("wanted", 11));
        }

        @Override
        public void watch(long sinceVersion, boolean sendInitialEvents, Sink<CsiDriver> sink) {
          sink.present(driver("wanted", 4));
          sink.present(driver("other", 5));
          sink.initialEventsEnded(6);
          sink.deleted(driver("other", 7));
          sink.deleted(driver("wanted", 8));
          sink.bookmark(9);
        }
      };

  private final ListWatch.Sink<CsiDriver> sink =
      new ListWatch.Sink<>() {
        @Override
        public void present(CsiDriver object) {
          received.add("+" + object.meta().name());
        }

        @Override
        public void deleted(CsiDriver last) {
          received.add("-" + last.meta().name());
        }

        @Override
        public void bookmark(long version) {
          received.add("@" + version);
        }

        @Override
        public void initialEventsEnded(long version) {
          received.add("all@" + version);
        }
      };

  @Test
  void filter_otherObjects_forwardsOnlyTheirVersions() throws Exception {
    FilteredListWatch<CsiDriver> filtered = new FilteredListWatch<>(ALL, CsiDriver::attachRequired);
    assertThat(filtered.streamsLists()).isTrue();
    assertThat(filtered.list(d -> received.add(d.meta().name()))).isEqualTo(3);
    filtered.watch(0, true, sink);
    assertThat(received).containsExactly("wanted", "+wanted", "@5", "all@6", "@7", "-wanted", "@9");
    received.clear();
    assertThat(filtered.listFirstPage(5, d -> received.add(d.meta().name())))
        .isEqualTo(new ListWatch.Page(3, true));
    filtered.catchUp(9, sink);
    assertThat(received).containsExactly("wanted", "@10", "+wanted");
  }
}
