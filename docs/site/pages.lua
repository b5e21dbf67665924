-- docs/site/pages.lua - for pandoc: links of a document as links of a page. A document becomes a page beside it; a file
-- that is not on the site is a link into the repository that $SITE_SOURCE names, or, without one, only its words.
local folder = os.getenv("SITE_FOLDER") -- of the document, from the top: "docs/", or nothing
local source = os.getenv("SITE_SOURCE")
local pages = " " .. os.getenv("SITE_PAGES") .. " "

local function from_top(target)
  local path = folder .. target
  repeat
    local count
    path, count = path:gsub("[^/]+/%.%./", "", 1)
  until count == 0
  return path
end

function Link(link)
  local target, heading = link.target:match("^([^#]*)(#?.*)$")
  if target == "" or target:match("^%a+:") then
    return nil
  end
  local path = from_top(target)
  if pages:find(" " .. path .. " ", 1, true) then
    local up = folder:gsub("[^/]+/", "../")
    link.target = up .. path:gsub("^README", "index"):gsub("%.md$", ".html") .. heading
    return link
  end
  if source then
    link.target = source .. "/" .. path .. heading
    return link
  end
  return link.content
end

-- The first heading is the page's title, which the template has not.
function Pandoc(document)
  for _, block in ipairs(document.blocks) do
    if block.t == "Header" then
      document.meta.pagetitle = pandoc.utils.stringify(block)
      break
    end
  end
  return document
end
