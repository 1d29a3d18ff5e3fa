package dev.mooring.kube.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Quantity;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ValueInternerTest {
  private static String fresh(String text) {
    return new StringBuilder(text).toString();
  }

  @Test
  void of_equalTexts_returnsSameInstance() {
    ValueInterner<String> strings = new ValueInterner<>(16, text -> text);
    String first = strings.of(fresh("node-1"));
    assertThat(strings.of(fresh("node-1"))).isSameAs(first);
    assertThat(strings.of(fresh("node-2"))).isEqualTo("node-2");
  }

  @Test
  void of_thousandsOfTexts_sharesMost() {
    ValueInterner<String> strings = new ValueInterner<>(1 << 14, text -> text);
    Map<String, Boolean> different = new IdentityHashMap<>();
    for (int i = 0; i < 40_000; i++) {
      different.put(strings.of(fresh("node-" + i % 2000)), true);
    }
    assertThat(different).hasSizeLessThan(3000);
  }

  @Test
  void of_moreTextsThanCapacity_returnsEqualValues() {
    ValueInterner<String> strings = new ValueInterner<>(4, text -> text);
    for (int i = 0; i < 100; i++) {
      assertThat(strings.of("s" + i)).isEqualTo("s" + i);
    }
  }

  @Test
  void of_equalTexts_parsesOnceAndKeepsText() {
    AtomicInteger read = new AtomicInteger();
    ValueInterner<Quantity> sizes =
        new ValueInterner<>(
            16,
            text -> {
              read.incrementAndGet();
              return Quantity.of(text);
            });
    Quantity first = sizes.of(fresh("1Gi"));
    assertThat(sizes.of(fresh("1Gi"))).isSameAs(first);
    assertThat(read).hasValue(1);
    assertThat(sizes.of("1024Mi")).hasToString("1024Mi").isEqualTo(first);
  }
}
