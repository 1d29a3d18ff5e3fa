package dev.mooring.informer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.CsiDriver;
import dev.mooring.testkit.SimTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * A handler that throws an exception receives missed changes later and does not affect other
 * handlers (I10).
 */
class FailingHandlerTest extends InformerFixture {
  private final List<String> accepted = new ArrayList<>();
  private boolean broken = true;

  private void addBrokenHandler() {
    informer.onChange(change -> {
      if (broken && change.key().name().equals("a")) {
        throw new IllegalStateException("a bug");
      }
      accepted.add(describe(change));
    });
  }

  private static String describe(Change<CsiDriver> change) {
    return switch (change) {
      case Change.Added<CsiDriver>(CsiDriver now) -> "+" + version(now);
      case Change.Updated<CsiDriver>(CsiDriver before, CsiDriver now) ->
          "~" + version(before) + ">" + version(now);
      case Change.Deleted<CsiDriver>(CsiDriver last, _) -> "-" + version(last);
    };
  }

  private static String version(CsiDriver driver) {
    return driver.meta().name() + "@" + driver.meta().resourceVersion();
  }

  @Test
  void i10_handlerThrows_othersReceiveChangeAtOnce() {
    addBrokenHandler();
    recordChanges();
    replaceAll(List.of(driver("a", 1), driver("b", 1)), 1);
    informer.applyEvent(driver("a", 2));
    informer.applyOwnWrite(driver("a", 3));
    informer.applyOwnDeletion(driver("a", 3).key(), driver("a", 3).meta().uid());
    assertThat(received).containsExactlyInAnyOrder("+a@1", "+b@1", "~a@1>2", "~a@2>3", "-a@3");
    assertThat(received.indexOf("~a@1>2")).isLessThan(received.indexOf("~a@2>3"));
    assertThat(accepted).containsExactly("+b@1");
  }

  @Test
  void i10_failedHandler_nextChange_containsMissedOne() {
    replaceAll(List.of(driver("a", 1)), 1);
    addBrokenHandler();
    informer.applyEvent(driver("a", 2));
    broken = false;
    informer.applyEvent(driver("a", 3));
    assertThat(accepted).containsExactly("~a@1>a@3");
  }

  @Test
  void failedHandler_objectDeleted_receivesDeletion() {
    replaceAll(List.of(driver("a", 1)), 1);
    addBrokenHandler();
    informer.applyEvent(driver("a", 2));
    informer.applyDeletion(driver("a", 3));
    assertThat(informer.retryFailedHandlers()).as("missed changes").isEqualTo(1);
    broken = false;
    assertThat(informer.retryFailedHandlers()).isZero();
    assertThat(accepted).containsExactly("-a@3");
  }

  @Test
  void failedHandler_objectAddedAndDeleted_receivesNothing() {
    addBrokenHandler();
    informer.applyEvent(driver("a", 2));
    informer.applyDeletion(driver("a", 3));
    broken = false;
    assertThat(informer.retryFailedHandlers()).isZero();
    informer.applyEvent(driver("b", 4));
    assertThat(accepted).containsExactly("+b@4");
  }

  /** An object that a handler cannot process must not stop the reflector from watching. */
  @Test
  void reflector_handlerKeepsThrowing_watchesAndRetriesEachRound() throws InterruptedException {
    List<String> calls = new ArrayList<>();
    ListWatch<CsiDriver> source =
        new ListWatch<>() {
          @Override
          public boolean streamsLists() {
            return false;
          }

          @Override
          public long list(Consumer<CsiDriver> consumer) {
            calls.add("list");
            consumer.accept(driver("a", 1));
            return 1;
          }

          @Override
          public Page listFirstPage(int limit, Consumer<CsiDriver> consumer) {
            return new Page(informer.watchedVersion(), false);
          }

          @Override
          public void catchUp(long sinceVersion, Sink<CsiDriver> sink) {
            calls.add("catch up " + sinceVersion);
          }

          @Override
          public void watch(long sinceVersion, boolean sendInitialEvents, Sink<CsiDriver> sink) {
            calls.add("watch " + sinceVersion);
            sink.present(driver("b", sinceVersion + 1));
          }
        };
    addBrokenHandler();
    Reflector<CsiDriver> reflector = new Reflector<>(informer, source, new SimTime(true), () -> 0);
    reflector.runRound();
    assertThat(accepted).as("later events").containsExactly("+b@2");
    assertThat(reflector.lastFailure()).contains("a bug");
    broken = false;
    reflector.runRound();
    assertThat(accepted).containsExactly("+b@2", "+a@1", "~b@2>b@3");
    assertThat(calls).containsExactly("list", "watch 1", "watch 2");
    assertThat(reflector.lastFailure()).isEmpty();
  }
}
