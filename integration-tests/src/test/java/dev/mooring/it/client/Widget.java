package dev.mooring.it.client;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** The custom resource of the tests' operators. */
@Group("example.com")
@Version("v1")
public final class Widget extends CustomResource<Widget.WidgetSpec, Widget.WidgetStatus>
    implements Namespaced {
  private static final long serialVersionUID = 1L;

  static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: widgets.example.com}
      spec:
        group: example.com
        scope: Namespaced
        names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
        versions:
        - name: v1
          served: true
          storage: true
          subresources: {status: {}}
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec:
                  type: object
                  required: [size]
                  properties: {size: {type: integer, minimum: 1}}
                status:
                  type: object
                  properties: {size: {type: integer}, observedGeneration: {type: integer}}
      """;

  /** What the user wants. */
  public static final class WidgetSpec {
    private int size;

    public int getSize() {
      return size;
    }

    public void setSize(int size) {
      this.size = size;
    }
  }

  /** What the operator has reached. */
  public static final class WidgetStatus {
    private int size;
    private long observedGeneration;

    public int getSize() {
      return size;
    }

    public void setSize(int size) {
      this.size = size;
    }

    public long getObservedGeneration() {
      return observedGeneration;
    }

    public void setObservedGeneration(long observedGeneration) {
      this.observedGeneration = observedGeneration;
    }
  }
}
