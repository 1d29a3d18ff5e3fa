package dev.mooring.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.client.Fabric8Clients.FirstWatchExpiry;
import dev.mooring.it.client.Fabric8Clients.HttpLibrary;
import dev.mooring.testkit.TestWait;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs an operator of the Java Operator SDK against the embedded server. */
class JavaOperatorSdkTest {
  private ApiServer server;

  @BeforeEach
  void start() throws IOException {
    server = ApiServer.start(new ApiServer.ServerOptions(0, "tok", null).withTls());
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @ControllerConfiguration(name = "widgets", finalizerName = "example.com/widgets")
  private static final class WidgetReconciler implements Reconciler<Widget>, Cleaner<Widget> {
    @Override
    public UpdateControl<Widget> reconcile(Widget widget, Context<Widget> context) {
      int size = widget.getSpec().getSize();
      recordEvent(widget, context, "Resized", "the size is " + size);
      Widget patch = new Widget();
      patch.getMetadata().setName(widget.getMetadata().getName());
      patch.getMetadata().setNamespace(widget.getMetadata().getNamespace());
      Widget.WidgetStatus status = new Widget.WidgetStatus();
      status.setSize(size);
      status.setObservedGeneration(widget.getMetadata().getGeneration());
      patch.setStatus(status);
      return UpdateControl.patchStatus(patch);
    }

    @Override
    public DeleteControl cleanup(Widget widget, Context<Widget> context) {
      recordEvent(widget, context, "Removed", "the widget is removed");
      return DeleteControl.defaultDelete();
    }

    private static void recordEvent(
        Widget widget, Context<Widget> context, String reason, String message) {
      Event event =
          new EventBuilder()
              .withNewMetadata()
              .withGenerateName(widget.getMetadata().getName() + ".")
              .withNamespace(widget.getMetadata().getNamespace())
              .endMetadata()
              .withNewInvolvedObject()
              .withApiVersion(widget.getApiVersion())
              .withKind(widget.getKind())
              .withNamespace(widget.getMetadata().getNamespace())
              .withName(widget.getMetadata().getName())
              .withUid(widget.getMetadata().getUid())
              .endInvolvedObject()
              .withType("Normal")
              .withReason(reason)
              .withMessage(message)
              .build();
      context.getClient().resource(event).create();
    }
  }

  @ParameterizedTest
  @EnumSource(HttpLibrary.class)
  void operator_customResource_isReconciledAndCleanedUp(HttpLibrary library) {
    FirstWatchExpiry expiry = new FirstWatchExpiry("widgets");
    try (KubernetesClient client = Fabric8Clients.connect(server, library)) {
      client
          .load(new ByteArrayInputStream(Widget.DEFINITION.getBytes(StandardCharsets.UTF_8)))
          .serverSideApply();
      Operator operator =
          new Operator(config ->
              config
                  .withKubernetesClient(Fabric8Clients.connect(server, library, expiry))
                  .withCloseClientOnStop(true));
      operator.register(new WidgetReconciler());
      operator.start();
      try {
        TestWait.until("watch after the expired one", () -> expiry.countWatches() == 2);
        useWidget(client);
      } finally {
        operator.stop();
      }
    }
  }

  private static void useWidget(KubernetesClient client) {
    Widget widget = new Widget();
    widget.getMetadata().setName("w");
    widget.getMetadata().setNamespace("default");
    widget.setSpec(new Widget.WidgetSpec());
    widget.getSpec().setSize(3);
    client.resource(widget).create();
    Resource<Widget> stored = client.resource(widget);

    Widget reconciled = await(stored, hasReached(3, 1));
    assertThat(reconciled.getMetadata().getFinalizers()).containsExactly("example.com/widgets");

    stored.edit(edited -> {
      edited.getSpec().setSize(5);
      return edited;
    });
    await(stored, hasReached(5, 2));

    stored.delete();
    stored.waitUntilCondition(Objects::isNull, TestWait.LONGEST.toSeconds(), TimeUnit.SECONDS);
    assertThat(client.v1().events().inNamespace("default").list().getItems())
        .filteredOn(event -> event.getInvolvedObject().getKind().equals("Widget"))
        .extracting(Event::getMessage)
        .contains("the size is 3", "the size is 5", "the widget is removed");
  }

  private static Widget await(Resource<Widget> stored, Predicate<Widget> condition) {
    return stored.waitUntilCondition(condition, TestWait.LONGEST.toSeconds(), TimeUnit.SECONDS);
  }

  private static Predicate<Widget> hasReached(int size, long generation) {
    return widget ->
        widget != null
            && widget.getStatus() != null
            && widget.getStatus().getSize() == size
            && widget.getStatus().getObservedGeneration() == generation;
  }
}
