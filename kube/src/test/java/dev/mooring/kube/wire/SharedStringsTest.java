package dev.mooring.kube.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.IdentityHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SharedStringsTest {
  private static String fresh(String text) {
    return new StringBuilder(text).toString();
  }

  @Test
  void equalStringsBecomeOne() {
    SharedStrings strings = new SharedStrings(16);
    String first = strings.share(fresh("node-1"));
    assertThat(strings.share(fresh("node-1"))).isSameAs(first);
    assertThat(strings.share(fresh("node-2"))).isEqualTo("node-2");
  }

  @Test
  void thousandsAreSharedAlthoughSomeGetIntoEachOthersWay() {
    SharedStrings strings = new SharedStrings(1 << 14);
    Map<String, Boolean> different = new IdentityHashMap<>();
    for (int i = 0; i < 40_000; i++) {
      different.put(strings.share(fresh("node-" + i % 2000)), true);
    }
    assertThat(different).hasSizeLessThan(3000);
  }

  @Test
  void thereMayBeMoreThanThereIsRoomFor() {
    SharedStrings strings = new SharedStrings(4);
    for (int i = 0; i < 100; i++) {
      assertThat(strings.share("s" + i)).isEqualTo("s" + i);
    }
  }
}
