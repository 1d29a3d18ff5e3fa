package dev.mooring.apiserver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoreTest {
  private final Store store = new Store("configmaps", new AtomicLong(1), Journal.NONE);

  @ParameterizedTest
  @ValueSource(strings = {"kind", "apiVersion"})
  void write_treeWithTypeMember_isRefused(String member) {
    JsonObject tree =
        JsonParser.parseString("{\"" + member + "\": \"v1\", \"metadata\": {\"name\": \"a\"}}")
            .getAsJsonObject();

    assertThatThrownBy(() -> store.<RuntimeException>write("default/a", absent -> tree))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the tree of configmaps default/a has a kind or an apiVersion");
    assertThat(store.size()).isZero();
  }
}
