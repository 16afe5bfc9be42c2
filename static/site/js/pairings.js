/* Pairings of a club night: drag a player onto another one with a mouse, or tap one and then the other. A finger only
   taps, so that it can scroll the page. Without this script the form below the games does the same. */
"use strict";

const swap = document.getElementById("swap");
const seats = [...document.querySelectorAll("[data-seat]")];

if (swap) {
  let chosen = null, dragged = null, ghost = null, from = null;

  document.getElementById("drag-help").hidden = false;

  const choose = (seat) => {
    chosen?.classList.remove("chosen");
    chosen = seat === chosen ? null : seat;
    chosen?.classList.add("chosen");
  };

  const change = (first, second) => {
    if (!first || !second || first === second) return;
    swap.elements.first_id.value = first.dataset.seat;
    swap.elements.second_id.value = second.dataset.seat;
    swap.submit();
  };

  const under = (event) => {
    const seat = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-seat]");
    return seats.includes(seat) ? seat : null;
  };

  const stop = () => {
    ghost?.remove();
    dragged?.classList.remove("dragged");
    for (const seat of seats) seat.classList.remove("over");
    ghost = dragged = from = null;
  };

  for (const seat of seats) {
    seat.tabIndex = 0;
    seat.setAttribute("role", "button");
    seat.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      if (chosen && chosen !== seat) change(chosen, seat);
      else choose(seat);
    });
    seat.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      dragged = seat;
      from = [event.clientX, event.clientY];
      seat.setPointerCapture(event.pointerId);
    });
    seat.addEventListener("pointermove", (event) => {
      if (!dragged || event.pointerType === "touch") return;
      if (!ghost && Math.hypot(event.clientX - from[0], event.clientY - from[1]) < 8) return;
      if (!ghost) {
        ghost = document.createElement("div");
        ghost.className = "seat-ghost";
        ghost.textContent = seat.querySelector("b")?.textContent ?? seat.textContent;
        document.body.append(ghost);
        seat.classList.add("dragged");
      }
      ghost.style.left = `${event.clientX}px`;
      ghost.style.top = `${event.clientY}px`;
      const target = under(event);
      for (const each of seats) each.classList.toggle("over", each === target && each !== seat);
    });
    seat.addEventListener("pointerup", (event) => {
      const was = dragged, moved = ghost, target = under(event);
      stop();
      if (moved) change(was, target);
      else if (chosen && chosen !== seat) change(chosen, seat);
      else choose(seat);
    });
    seat.addEventListener("pointercancel", stop);
  }
}
