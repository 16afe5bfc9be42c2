/* The hall screen: the clock, and one request every ten seconds. Written for browsers of ten years ago. The browser
   sends the page's ETag by itself; while nothing has changed, the server answers 304 and the text is the same. */
(function () {
  "use strict";

  var last = "";

  function two(number) {
    return (number < 10 ? "0" : "") + number;
  }

  function tick() {
    var clock = document.getElementById("clock");
    if (!clock) return;
    var now = new Date(), text = two(now.getHours()) + ":" + two(now.getMinutes());
    var left = Math.floor((Date.parse(clock.getAttribute("data-ends")) - now.getTime()) / 60000);
    if (left >= 0 && left < 360) {
      text += " · " + Math.floor(left / 60) + ":" + two(left % 60) + " " + clock.getAttribute("data-left");
    }
    if (clock.firstChild) clock.firstChild.nodeValue = text;
    else clock.appendChild(document.createTextNode(text));
  }

  function show(page) {
    var start = page.indexOf('<div id="hall">'), end = page.lastIndexOf("</body>");
    if (start < 0 || end < 0) return;
    document.body.innerHTML = page.substring(start, end);
    tick();
  }

  function ask() {
    var request = new XMLHttpRequest();
    request.open("GET", location.href, true);
    request.onreadystatechange = function () {
      if (request.readyState !== 4) return;
      if (request.status === 200 && request.responseText !== last) {
        last = request.responseText;
        show(last);
      }
    };
    request.send();
  }

  window.onload = function () {
    tick();
    window.setInterval(tick, 5000);
    window.setInterval(ask, 10000);
  };
})();
