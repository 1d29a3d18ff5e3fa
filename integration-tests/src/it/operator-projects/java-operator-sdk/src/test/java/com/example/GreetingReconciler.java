package com.example;

import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;

@ControllerConfiguration
public class GreetingReconciler implements Reconciler<Greeting>, Cleaner<Greeting> {
  @Override
  public UpdateControl<Greeting> reconcile(Greeting greeting, Context<Greeting> context) {
    greeting.setStatus(new Greeting.Status());
    greeting.getStatus().text = "Hello, " + greeting.getSpec().name;
    return UpdateControl.patchStatus(greeting);
  }

  @Override
  public DeleteControl cleanup(Greeting greeting, Context<Greeting> context) {
    return DeleteControl.defaultDelete();
  }
}
